/* What compilations of one run share, against a plain model: a text stays what it was first. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiler/base/compilation.h"
#include "compiler/base/pool.h"
#include "compiler/base/source.h"
#include "tests/unit/scratch.h"

enum { FILES = 8, SIZE_MAX_HERE = 70000, RUNS = 10, COMPILATIONS = 20, LOADS = 20 };

/* A file of one byte again and again: which, and how often. */
struct text_model {
	char byte;
	size_t size;
};

struct file_model {
	char path[256];
	struct text_model now, shared;
	bool is_shared; /* the run has read it, and does not ask again */
	bool is_loaded; /* the compilation at work has it, and */
	unsigned index; /* as its which */
};

struct model {
	uint64_t seed;
	struct scratch scratch;
	struct file_model files[FILES];
	unsigned loaded;
};

static uint32_t random_below(struct model *model, uint32_t end)
{
	model->seed = model->seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(model->seed >> 32) % end;
}

/* Also of no byte, and of about as many as are read at once. */
static size_t random_size(struct model *model)
{
	static const size_t sizes[] = { 0, 1, 4096, 65535, 65536, 65537 };
	uint32_t which = random_below(model, 8);
	return which < 6 ? sizes[which] : random_below(model, SIZE_MAX_HERE);
}

static void file_change(struct model *model, size_t which)
{
	static char bytes[SIZE_MAX_HERE];
	struct file_model *file = &model->files[which];
	char name[16];
	snprintf(name, sizeof name, "f%zu.allow", which);
	snprintf(file->path, sizeof file->path, "%s/%s", model->scratch.folder, name);
	file->now = (struct text_model){ (char)('a' + random_below(model, 26)), random_size(model) };
	memset(bytes, file->now.byte, file->now.size);
	assert_true(scratch_write(&model->scratch, name, bytes, file->now.size));
}

static void assert_text(const struct source *source, struct text_model wanted)
{
	assert_int_equal(source->size, wanted.size);
	for (size_t i = 0; i < wanted.size; i++)
		if (source->text[i] != wanted.byte)
			fail_msg("byte %zu is '%c' instead of '%c'", i, source->text[i], wanted.byte);
	assert_int_equal(source->text[wanted.size], '\0');
}

static void file_load(struct model *model, struct file_model *file, struct sources *sources)
{
	size_t most = random_below(model, 4) ? SIZE_MAX_HERE : random_size(model);
	struct text_model text = file->is_shared ? file->shared : file->now;
	struct source *source = sources_load_up_to(sources, file->path, most);
	if (text.size > most) {
		assert_null(source);
		assert_int_equal(errno, EFBIG);
		return;
	}
	assert_non_null(source);
	if (!file->is_loaded)
		file->index = model->loaded++;
	file->shared = text;
	file->is_shared = file->is_loaded = true;
	assert_text(source, text);
	assert_string_equal(source->path, file->path);
	assert_int_equal(source->index, file->index);
	assert_ptr_equal(sources_get(sources, file->index), source);
	assert_int_equal(sources_count(sources), model->loaded);
	assert_true(source_is_shared(sources, source));
}

static void compilation_run(struct model *model, struct pool *pool)
{
	struct compilation compilation = compilation_begin_sharing(0, pool);
	model->loaded = 0;
	for (size_t i = 0; i < FILES; i++)
		model->files[i].is_loaded = false;
	for (uint32_t loads = random_below(model, LOADS); loads; loads--) {
		if (random_below(model, 8) == 0)
			file_change(model, random_below(model, FILES));
		file_load(model, &model->files[random_below(model, FILES)], compilation.sources);
	}
	compilation_end(&compilation);
}

static void run_of_compilations(struct model *model)
{
	struct pool *pool = pool_new();
	for (size_t i = 0; i < FILES; i++)
		model->files[i].is_shared = false;
	for (int compilation = 0; compilation < COMPILATIONS; compilation++)
		compilation_run(model, pool);
	pool_free(pool);
}

static void a_text_is_one_in_all_compilations(void **state)
{
	(void)state;
	struct model model = { .seed = 8 };
	assert_true(scratch_begin(&model.scratch));
	for (size_t i = 0; i < FILES; i++)
		file_change(&model, i);
	for (int run = 0; run < RUNS; run++)
		run_of_compilations(&model);
	scratch_end(&model.scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_is_one_in_all_compilations),
	};
	return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
