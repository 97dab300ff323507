#!/usr/bin/env python3
"""The syntax file for Vim: it reads every policy of the tree, and colours what the compiler takes for a keyword."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
from keywords import keywords  # noqa: E402

# Opens each file of a list and writes, of a file: its name, its type and Vim's error message; of each line as many
# words as it has runs of one syntax group: COLUMN:GROUP:COLOUR, with bytes for columns. Without g:whole it asks for
# the last column alone, for which Vim reads the line.
READ = """
set nomore noswapfile
let &runtimepath = g:ours . ',' . $VIMRUNTIME
filetype on
syntax on
function! Colour(group) abort
	return get(get(hlget(a:group), 0, {}), 'linksto', '')
endfunction
function! Groups(line) abort
	let [runs, before, last] = [[], '', len(getline(a:line))]
	for column in range(g:whole ? 1 : max([last, 1]), last)
		let name = synIDattr(synID(a:line, column, 1), 'name')
		if name !=# before
			call add(runs, column . ':' . name . ':' . Colour(name))
			let before = name
		endif
	endfor
	return join(runs)
endfunction
let s:lines = []
for s:file in readfile(g:files)
	let v:errmsg = ''
	execute 'edit' fnameescape(s:file)
	let s:groups = map(range(1, min([line('$'), 500])), 'Groups(v:val)')
	let s:lines += ['= ' . s:file, &filetype . ' ' . v:errmsg] + s:groups
	bwipeout!
endfor
call writefile(s:lines, g:told)
quitall!
"""


def read(files, whole=1):
    """{file: (its first line, the lines' groups)}"""
    suite.need("vim")
    with suite.scratch() as folder:
        (folder / "read.vim").write_text(READ, encoding="utf-8")
        (folder / "files").write_text("".join(f"{file}\n" for file in files), encoding="utf-8")
        settings = {"ours": suite.ROOT / "packaging/vim", "files": folder / "files", "told": folder / "told"}
        words = [word for name, value in settings.items() for word in ("--cmd", f"let g:{name} = '{value}'")]
        done = suite.run(["vim", "-u", "NONE", "-i", "NONE", "-N", "-es", "--cmd", f"let g:whole = {whole}", *words, "-S",
                          folder / "read.vim"])  # fmt: skip
        suite.same("what Vim prints", done.stdout.strip() + done.stderr.strip(), "")
        parts = (folder / "told").read_text(encoding="utf-8", errors="replace").removesuffix("\n").split("\n= ")
        parts[0] = parts[0].removeprefix("= ")
        return {lines[0]: (lines[1], lines[2:]) for lines in (part.split("\n") for part in parts)}


def read_lines(lines):
    """The groups of the lines of one file."""
    with suite.scratch() as folder:
        file = folder / "probe.allow"
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        told = read([file])[str(file)][1]
        suite.same("lines read", len(told), len(lines))
        return told


def colour_at(runs, column):
    found = ""
    for run in runs.split():
        start, _, colour = run.split(":")
        if int(start) <= column:
            found = colour
    return found


def colours(lines):
    """Of each line, with marks before some words: the marked words' colours, as the group that its own is linked to."""
    for line, runs in zip(lines, read_lines([line.replace("^", "") for line in lines])):
        found, column = [], 1
        for part in line.split("^")[:-1]:
            column += len(part.encode())
            found.append(colour_at(runs, column))
        yield line, found


def every_policy_of_the_tree():
    """As files of type `allow`, without an error."""
    files = suite.run(["git", "ls-files", "*.allow"]).stdout.splitlines()
    suite.same("there are many", len(files) > 500, True)
    told = read(files, whole=0)
    wrong = {file: told.get(file, ("(not read)",))[0] for file in files if told.get(file, ("",))[0] != "allow "}
    suite.same("files that are read otherwise", wrong, {})


def probes(lines):
    for (line, got), (_, *wanted) in zip(colours([line for line, *_ in lines]), lines):
        suite.same(f"colours of {line!r}", got, wanted)


# What stands where a word of the table can, with a mark before it.
PLACES = {
    "verb": ("^{} x  adr 1", "    ^{} x  adr 1", "policy p; ^{} x  adr 1", '^{} "x y"  adr 1'),
    "file": ("^{} x", "^{} x  # remark"),
    "plugin": ("    ^{} x", "plugin p {{ ^{} x }}"),
    "attribute": ("allow x  ^{} y", "    ^{} y", 'forbid "x y"  adr 1  ^{} y', "allow x {{ ^{} y }}"),
    "setting": ("    ^{} x", "seccomp {{ ^{} x; ^{} y }}"),
}


def every_keyword():
    lines = [form.format(*[word] * form.count("{}")) for word, place in keywords() for form in PLACES[place]]
    wrong = [line for line, found in colours(lines) if not set(found) <= {"Statement", "Keyword"}]
    suite.same("keywords without a colour", wrong, [])


def words_by_their_place():
    """No word is reserved."""
    probes([
        ('^allow ^as  ^adr ^0001  ^because ^"the assembler, ^not as"', "Keyword", "", "Keyword", "", "Keyword", "String", "String"),
        ("^allow ^expect, ^policy, ^adr  ^adr 0001", "Keyword", "", "", "", "Keyword"),
        ("^policy ^allow", "Statement", ""),
        ("^allow-list x", ""),
        ("^forbid ^CAP_SYS_PTRACE  adr 1  ^on ^linux", "Keyword", "Constant", "Keyword", "Constant"),
        ("^forbid ^syscall ^ptrace, ^@tracing  ^with ^errno ^EPERM", "Keyword", "Keyword", "", "Identifier", "Keyword", "Constant", "Constant"),
        ("    ^requires docker ^>= 20.10", "Keyword", "Number"),
        ("    ^until ^2099-12-31", "Keyword", "Number"),
        ("^expect ^denied ^syscall ^ptrace", "Statement", "Keyword", "Keyword", ""),
        ("^expect ^adr 0001 ^adds ^dive", "Statement", "Keyword", "Keyword", ""),
        ("^use ^<std-container-2026>", "Statement", "Include"),
        ('^decisions ^phase2 ^"../adr" ^accept ^"Angenommen"', "Statement", "Identifier", "String", "Keyword", "String"),
        ('^output ^python ^"src/x.py" ^region ^NAMES', "Statement", "Identifier", "String", "Keyword", ""),
        ("^seccomp { ^deny-with ^kill; ^arch ^x86_64 }", "Statement", "Statement", "Constant", "Statement", ""),
        ("forbid syscall ^clone(^flags ^& ^CLONE_NEWUSER)  ^adr 1", "", "", "Operator", "Constant", "Keyword"),
        ("forbid syscall kill(pid == ^-1), socket((type & ^0xf) ^== ^SOCK_RAW)", "Number", "Number", "Operator", "Constant"),
    ])  # fmt: skip


def strings_and_comments():
    probes([
        ("^# ^allow git", "Comment", "Comment"),
        ('title ^"a # ^in a string"  ^# and ^one behind', "String", "String", "Comment", "Comment"),
        ('title ^"a ^\\"quoted^\\" \\u{e9}^ word"', "String", "SpecialChar", "SpecialChar", "String"),
        ('allow git  because ^"left open', "String"),
        ("^allow git  adr 1", "Keyword"),
        ("allow a^#b", ""),
        ("allow a,  ^# goes on", "Comment"),
        ("      ^as  ^adr 1", "", "Keyword"),
    ])  # fmt: skip


def main():
    return suite.main([
        ("every policy of the tree", every_policy_of_the_tree),
        ("every keyword of the compiler", every_keyword),
        ("words by their place", words_by_their_place),
        ("strings and comments", strings_and_comments),
    ])  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
