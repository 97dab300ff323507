/* A file that is no longer what was read. What else there is to a rewrite, tests/cli/test_fmt.py shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/source.h"
#include "compiler/base/strbuf.h"
#include "compiler/rewrite.h"
#include "tests/unit/scratch.h"

struct fixture {
	struct compilation compilation;
	struct scratch scratch;
	char path[512];
	const struct source *source;
};

static void begin(struct fixture *fixture, const char *text)
{
	*fixture = (struct fixture){ .compilation = compilation_begin(0) };
	assert_true(scratch_begin(&fixture->scratch));
	assert_true(scratch_write(&fixture->scratch, "p.allow", text, strlen(text)));
	snprintf(fixture->path, sizeof fixture->path, "%s/p.allow", fixture->scratch.folder);
	fixture->source = sources_load_argument(fixture->compilation.sources, fixture->path);
	assert_non_null(fixture->source);
}

static void end(struct fixture *fixture)
{
	scratch_end(&fixture->scratch);
	compilation_end(&fixture->compilation);
}

static void says(const struct fixture *fixture, const char *message)
{
	struct strbuf out = STRBUF_INIT, wanted = STRBUF_INIT;
	diags_render(fixture->compilation.diags, DIAG_TEXT, false, &out);
	strbuf_printf(&wanted, message, fixture->path);
	assert_string_equal(out.bytes, wanted.bytes);
	strbuf_release(&out);
	strbuf_release(&wanted);
}

static void test_a_file_as_it_was_read_is_replaced(void **state)
{
	(void)state;
	struct fixture fixture;
	begin(&fixture, "\xef\xbb\xbfold\n");
	assert_true(rewrite_file(&fixture.compilation, fixture.source, "new\n", 4));
	assert_int_equal(
		scratch_run(&fixture.scratch, "test \"$(cat p.allow)\" = new && test \"$(ls -A)\" = p.allow"),
		0);
	end(&fixture);
}

static void test_one_that_changed_stays(void **state)
{
	(void)state;
	struct fixture fixture;
	begin(&fixture, "old\n");
	assert_true(scratch_write(&fixture.scratch, "p.allow", "odd\n", 4));
	assert_false(rewrite_file(&fixture.compilation, fixture.source, "new\n", 4));
	says(&fixture, "allowc: '%s' changed while allowc ran: it is not written; run it again\n");
	assert_int_equal(
		scratch_run(&fixture.scratch, "test \"$(cat p.allow)\" = odd && test \"$(ls -A)\" = p.allow"),
		0);
	end(&fixture);
}

static void test_one_that_lost_its_mark_changed(void **state)
{
	(void)state;
	struct fixture fixture;
	begin(&fixture, "\xef\xbb\xbfold\n");
	assert_true(scratch_write(&fixture.scratch, "p.allow", "old\n", 4));
	assert_false(rewrite_file(&fixture.compilation, fixture.source, "new\n", 4));
	says(&fixture, "allowc: '%s' changed while allowc ran: it is not written; run it again\n");
	end(&fixture);
}

static void test_one_that_is_gone_stays_gone(void **state)
{
	(void)state;
	struct fixture fixture;
	begin(&fixture, "old\n");
	assert_int_equal(scratch_run(&fixture.scratch, "rm p.allow"), 0);
	assert_false(rewrite_file(&fixture.compilation, fixture.source, "new\n", 4));
	says(&fixture, "allowc: cannot write '%s': No such file or directory\n");
	assert_int_equal(scratch_run(&fixture.scratch, "test -z \"$(ls -A)\""), 0);
	end(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_file_as_it_was_read_is_replaced),
		cmocka_unit_test(test_one_that_changed_stays),
		cmocka_unit_test(test_one_that_lost_its_mark_changed),
		cmocka_unit_test(test_one_that_is_gone_stays_gone),
	};
	return cmocka_run_group_tests_name("rewrite", tests, NULL, NULL);
}
