#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "compiler/base/die.h"
#include "compiler/base/strbuf.h"
#include "compiler/commands/worker.h"

enum { JOBS = 10, LARGE = 300 * 1000 };

/* What goes wrong, and with which job. */
struct plan {
	size_t refused, killed, large;
};

static bool job_do(void *context, size_t job, struct strbuf *out)
{
	const struct plan *plan = context;
	if (job == plan->killed)
		raise(SIGKILL);
	strbuf_printf(out, "<%zu>", job);
	if (job == plan->large)
		strbuf_add_fill(out, 'x', LARGE);
	return job != plan->refused;
}

/* "<3>-<5>": the answers for jobs 3, 4 and 5, of which that for 4 is missing. */
static void answers_take(struct worker *worker, size_t count, struct strbuf *out)
{
	for (size_t i = 0; i < count; i++)
		if (!worker_answer(worker, out))
			strbuf_add_char(out, '-');
}

static void assert_answers(struct plan plan, size_t first, size_t end, const char *wanted)
{
	struct worker worker;
	struct strbuf out = STRBUF_INIT;
	worker_begin(&worker, 0, first, end, job_do, &plan);
	answers_take(&worker, end - first, &out);
	worker_end(&worker);
	assert_string_equal(out.bytes, wanted);
	strbuf_release(&out);
}

static void answers_come_in_order(void **state)
{
	(void)state;
	assert_answers((struct plan){ JOBS, JOBS, JOBS }, 3, 6, "<3><4><5>");
}

static void an_answer_is_missing_where_there_is_more_to_tell(void **state)
{
	(void)state;
	assert_answers((struct plan){ .refused = 4, .killed = JOBS, .large = JOBS }, 3, 6, "<3>-<5>");
}

/* What it answered before may be lost with it: answers wait in a buffer. */
static void after_its_death_all_answers_are_missing(void **state)
{
	(void)state;
	assert_answers((struct plan){ .refused = JOBS, .killed = 4, .large = JOBS }, 3, 6, "---");
}

static void an_answer_may_be_larger_than_a_pipe(void **state)
{
	(void)state;
	struct plan plan = { .refused = JOBS, .killed = JOBS, .large = 1 };
	struct worker worker;
	struct strbuf out = STRBUF_INIT;
	worker_begin(&worker, 0, 0, 3, job_do, &plan);
	answers_take(&worker, 3, &out);
	worker_end(&worker);
	assert_int_equal(out.size, LARGE + strlen("<0><1><2>"));
	assert_string_equal(out.bytes + LARGE + 6, "<2>");
	strbuf_release(&out);
}

/* The run has heard enough: a worker that still writes must not keep it waiting. */
static void a_worker_ends_with_nobody_listening(void **state)
{
	(void)state;
	struct plan plan = { .refused = JOBS, .killed = JOBS, .large = 0 };
	struct worker worker;
	worker_begin(&worker, 0, 0, JOBS, job_do, &plan);
	worker_end(&worker);
	assert_null(worker.answers);
}

static bool job_without_memory(void *context, size_t job, struct strbuf *out)
{
	(void)context;
	(void)job;
	(void)out;
	die_out_of_memory();
}

/* The run does the job itself, and says what it finds: of a worker without memory nobody hears. */
static void a_worker_without_memory_says_nothing(void **state)
{
	(void)state;
	struct worker worker;
	struct strbuf out = STRBUF_INIT;
	int before = dup(STDERR_FILENO), said = memfd_create("said", MFD_CLOEXEC);
	assert_true(before >= 0 && said >= 0);
	assert_int_equal(dup2(said, STDERR_FILENO), STDERR_FILENO);
	worker_begin(&worker, 0, 0, 1, job_without_memory, NULL);
	bool answered = worker_answer(&worker, &out);
	worker_end(&worker);
	assert_int_equal(dup2(before, STDERR_FILENO), STDERR_FILENO);
	assert_false(answered);
	assert_int_equal(lseek(said, 0, SEEK_END), 0);
	close(before);
	close(said);
	strbuf_release(&out);
}

static void each_worker_has_its_part(void **state)
{
	(void)state;
	struct plan plan = { JOBS, JOBS, JOBS };
	struct worker workers[2];
	struct strbuf out = STRBUF_INIT;
	worker_begin(workers, 0, 0, 2, job_do, &plan);
	worker_begin(workers, 1, 2, 4, job_do, &plan);
	answers_take(&workers[0], 2, &out);
	answers_take(&workers[1], 2, &out);
	worker_end(&workers[0]);
	worker_end(&workers[1]);
	assert_string_equal(out.bytes, "<0><1><2><3>");
	strbuf_release(&out);
}

static void few_jobs_want_no_worker(void **state)
{
	(void)state;
	assert_int_equal(workers_wanted(1), 1);
	assert_int_equal(workers_wanted(127), 1);
	assert_true(workers_wanted(100000) <= 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_come_in_order),
		cmocka_unit_test(an_answer_is_missing_where_there_is_more_to_tell),
		cmocka_unit_test(after_its_death_all_answers_are_missing),
		cmocka_unit_test(an_answer_may_be_larger_than_a_pipe),
		cmocka_unit_test(a_worker_ends_with_nobody_listening),
		cmocka_unit_test(a_worker_without_memory_says_nothing),
		cmocka_unit_test(each_worker_has_its_part),
		cmocka_unit_test(few_jobs_want_no_worker),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
