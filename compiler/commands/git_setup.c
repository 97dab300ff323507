/* allowc git-setup: the settings that let git show policies by decision. Prints them, and changes nothing. */
#include <string.h>

#include "compiler/base/die.h"
#include "compiler/base/strbuf.h"
#include "compiler/commands/command.h"
#include "compiler/commands/terminal.h"

static const char settings[] =
	"# Settings that let git show policies by decision. Nothing has been changed: read them, and\n"
	"# run what you want, in the repository's top folder.\n"
	"\n"
	"# Which files are policies. Commit it: it names a driver and no program, so that a clone\n"
	"# without the settings below shows them as before.\n"
	"echo '*.allow diff=allowc' >>.gitattributes\n"
	"\n"
	"# textconv: `git diff`, `git show` and `git log -p` compare what a policy says, a line for\n"
	"# each statement, sorted: order, comments and layout do not show, every statement does. It\n"
	"# reads that one file alone, not the layers below it; what it cannot parse is shown as it is.\n"
	"# Line numbers are not those of the file, the output is no patch to apply, and conflicts show\n"
	"# every line: for all three, `git diff --no-textconv`.\n"
	"git config diff.allowc.textconv 'allowc git-diff --textconv'\n"
	"\n"
	"# Leave this off: a cache would go on showing what an older allowc made of a file.\n"
	"git config diff.allowc.cachetextconv false\n"
	"\n"
	"# External diff: `git policy-diff main -- '*.allow'` says for each changed policy what the\n"
	"# change permits. git gives it two texts and no revisions, so both are read above the layers\n"
	"# and ADRs of the working folder, and it says so. Where that makes no policy, it shows lines\n"
	"# and no verdict. `allowc diff main:FILE HEAD:FILE` compares whole revisions.\n"
	"git config alias.policy-diff '-c diff.external=\"allowc git-diff\" diff'\n"
	"\n"
	"# difftool: the same by `git difftool --no-prompt --tool=allowc main -- '*.allow'`. A renamed\n"
	"# file is read under its old path: git gives a tool no other.\n"
	"git config difftool.allowc.cmd 'allowc git-diff \"$MERGED\" \"$LOCAL\" . . \"$REMOTE\" . .'\n"
	"\n"
	"# Only where artifacts are committed: their lines are not to be merged. Where both branches\n"
	"# changed one, the merge stops there; run allowc again, `git add generated`, and commit.\n"
	"echo 'generated/** -merge' >>.gitattributes\n";

static const char usage[] =
	"Usage: allowc git-setup\n"
	"Prints the settings that let git show policies by decision, and says what each does.\n"
	"It changes nothing.\n"
	"\n"
	"  -h, --help  this text\n";

static int run(const struct command *command, int argc, char **argv)
{
	bool help = argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
	struct strbuf text = STRBUF_INIT;
	if (argc > 1 && !help)
		return terminal_usage_error(command->name,
					    "git-setup takes no argument: it prints the settings");
	strbuf_add_text(&text, help ? usage : settings);
	int status = terminal_print(&text) ? 0 : EXIT_TROUBLE;
	strbuf_release(&text);
	return status;
}

const struct command command_git_setup = {
	.name = "git-setup",
	.usage = "",
	.summary = "Prints the settings that let git show policies by decision",
	.run = run,
};
