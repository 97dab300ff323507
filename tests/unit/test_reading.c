#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/reading.h"

/* A file of these six bytes, read from its start, that says it is `expected` long. */
static int take(struct arena *arena, size_t expected, size_t most, struct reading *reading)
{
	int fd = memfd_create("text", MFD_CLOEXEC);
	assert_int_equal(pwrite(fd, "abc\0ef", 6, 0), 6);
	int error = reading_take(arena, fd, expected, most, reading);
	close(fd);
	return error;
}

static void a_wrong_size_changes_nothing(void **state)
{
	(void)state;
	static const size_t sizes[] = { 0, 1, 5, 6, 7, 100000 };
	struct arena *arena = arena_new();
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct reading reading;
		assert_int_equal(take(arena, sizes[i], 100000, &reading), 0);
		assert_int_equal(reading.size, 6);
		assert_memory_equal(reading.bytes, "abc\0ef", 7);
	}
	arena_free(arena);
}

static void more_than_the_most_is_too_big(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct reading reading;
	assert_int_equal(take(arena, 6, 6, &reading), 0);
	assert_int_equal(take(arena, 0, 6, &reading), 0);
	assert_int_equal(take(arena, 3, 6, &reading), 0);
	assert_int_equal(take(arena, 6, 5, &reading), EFBIG);
	assert_int_equal(take(arena, 0, 5, &reading), EFBIG);
	assert_int_equal(take(arena, 3, 5, &reading), EFBIG);
	arena_free(arena);
}

static void a_long_text_from_a_pipe_comes_whole(void **state)
{
	(void)state;
	static char text[60000];
	struct arena *arena = arena_new();
	struct reading reading;
	int ends[2];
	for (size_t i = 0; i < sizeof text; i++)
		text[i] = (char)('a' + i % 23);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], text, sizeof text), sizeof text);
	close(ends[1]);
	assert_int_equal(reading_take(arena, ends[0], 0, sizeof text, &reading), 0);
	assert_int_equal(reading.size, sizeof text);
	assert_memory_equal(reading.bytes, text, sizeof text);
	close(ends[0]);
	assert_int_equal(reading_take(arena, ends[0], 0, 1, &reading), EBADF);
	arena_free(arena);
}

static uint32_t random_below(uint64_t *seed, uint32_t end)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*seed >> 32) % end;
}

/* About as many as are read at once, or any. */
static size_t random_size(uint64_t *seed)
{
	static const size_t sizes[] = { 0, 1, 6, 65535, 65536, 65537 };
	uint32_t which = random_below(seed, 8);
	return which < 6 ? sizes[which] : random_below(seed, 200000);
}

/* Whatever a file says of its size, and whatever the limit: all of it, or EFBIG. */
static void any_size_of_any_file_is_read_or_refused(void **state)
{
	(void)state;
	static char text[200000];
	uint64_t seed = 64;
	for (size_t i = 0; i < sizeof text; i++)
		text[i] = (char)random_below(&seed, 256);
	for (int round = 0; round < 1000; round++) {
		size_t size = random_size(&seed), most = random_size(&seed);
		size_t expected = random_below(&seed, 2) ? size : random_size(&seed);
		struct arena *arena = arena_new();
		struct reading reading;
		int fd = memfd_create("text", MFD_CLOEXEC);
		assert_int_equal(pwrite(fd, text, size, 0), size);
		int error = reading_take(arena, fd, expected, most, &reading);
		close(fd);
		assert_int_equal(error, size > most || expected > most ? EFBIG : 0);
		if (!error) {
			assert_int_equal(reading.size, size);
			assert_int_equal(reading.bytes[size], '\0');
			assert_true(memcmp(reading.bytes, text, size) == 0);
		}
		arena_free(arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wrong_size_changes_nothing),
		cmocka_unit_test(more_than_the_most_is_too_big),
		cmocka_unit_test(a_long_text_from_a_pipe_comes_whole),
		cmocka_unit_test(any_size_of_any_file_is_read_or_refused),
	};
	return cmocka_run_group_tests_name("reading", tests, NULL, NULL);
}
