# allowc: build, test, install. `make V=1` shows the commands; CONTRIBUTING.md says what to run when.
.DELETE_ON_ERROR:
.SUFFIXES:

# ---- tools and places

CC ?= cc
CXX ?= c++
GCC ?= gcc
CLANG ?= clang
CLANGXX ?= clang++
FLEX ?= flex
BISON ?= bison
AWK ?= awk
PKG_CONFIG ?= pkg-config
PYTHON ?= /usr/bin/python3
BUILD ?= build
PREFIX ?= /usr/local
SRC := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
CFLAGS ?= -O2 -g
INCLUDES := -I$(SRC) -I$(BUILD)
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE -fPIE $(INCLUDES) $(WARNINGS) $(CFLAGS)

# allowc is linked statically, with its addresses still chosen at each start: the dynamic loader took a
# third of a run over a small policy. Where a static library is missing: make STATIC=. The sanitizers and
# valgrind's checks need the shared C library.
STATIC = $(if $(findstring -fsanitize,$(CFLAGS)),,-static-pie)

# The places that a start sets right, in a hundredth of the size, which makes it a fiftieth shorter. Where the C
# library cannot read that form, the program would not start.
hash := \#
reads_packed := $(hash)include <features.h>\n$(hash)if __GLIBC_PREREQ(2, 36)\nyes\n$(hash)endif\n
packed := -Wl,-z,pack-relative-relocs
PACKED = $(if $(STATIC),$(if $(shell printf '$(reads_packed)' | $(CC) -E -P - 2>/dev/null | grep yes),$(packed)))

# The program checks its own stack and the sizes of what it copies, and its tables cannot be written to once it
# runs. The null build sees none of it. The sanitizers do better; who sets the second macro has chosen.
optimized := $(filter -O1 -O2 -O3 -Os,$(CFLAGS))
HARDENING = $(if $(findstring -fsanitize,$(CFLAGS)),,-fstack-protector-strong \
	$(if $(optimized),$(if $(findstring _FORTIFY_SOURCE,$(CFLAGS)),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)))
HARDENED_LINK := -Wl,-z,relro,-z,now
LIBS = $(shell $(PKG_CONFIG) --libs yaml-0.1 nettle jansson)

# Two jobs where nobody says otherwise (-j1 does), and not beside a `clean` that must come first.
ifeq ($(MAKELEVEL)$(filter clean,$(MAKECMDGOALS)),0)
MAKEFLAGS += -j2
endif

Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-7s %s\n' '$1' '$(patsubst $(SRC)/%,%,$2)')
again := --no-print-directory -f $(SRC)/Makefile

.PHONY: all unit check check-large check-live check-peers check-builds check-clang asan valgrind check-all lint cover bench demo \
	check-faults fuzz fuzz-smoke run-fuzz run-fuzz-smoke mutate golden-update clean
all: $(BUILD)/allowc $(BUILD)/allowc-diagnostics.7

# ---- dependencies: each target sees to its own section of dependencies.txt, once

DEPENDENCIES ?= $(SRC)/scripts/dependencies

$(BUILD)/.dependencies-%: $(SRC)/dependencies.txt $(SRC)/scripts/dependencies
	@mkdir -p $(@D)
	$(Q)$(DEPENDENCIES) $*
	@touch $@

need_build := $(BUILD)/.dependencies-build
need_check := $(BUILD)/.dependencies-check
need_live := $(BUILD)/.dependencies-live
need_builds := $(BUILD)/.dependencies-builds
need_lint := $(BUILD)/.dependencies-lint
need_cover := $(BUILD)/.dependencies-cover
need_bench := $(BUILD)/.dependencies-bench
need_demo := $(BUILD)/.dependencies-demo
# One apt at a time, and the build's part first.
$(need_check) $(need_live) $(need_builds) $(need_lint) $(need_cover) $(need_bench) $(need_demo): | $(need_build)

# ---- what this build folder was made with: another compiler, flag or set of sources makes anew

define remember
ifneq ($$(file <$(BUILD)/$1),$$($2))
$$(shell mkdir -p $(BUILD))
$$(file >$(BUILD)/$1,$$($2))
endif
endef

flags := $(CC) $(ALL_CFLAGS) $(HARDENING) $(LDFLAGS) $(HARDENED_LINK) $(STATIC)
$(eval $(call remember,.flags,flags))

# ---- sources

folders := compiler compiler/base compiler/policy compiler/data compiler/diff compiler/gate compiler/explain compiler/layout compiler/import compiler/commands backends backends/filter
sources := $(patsubst $(SRC)/%,%,$(wildcard $(folders:%=$(SRC)/%/*.c)))
library_objects := $(patsubst %.c,$(BUILD)/%.o,$(filter-out compiler/main.c,$(sources)))
unit_tests := $(patsubst $(SRC)/%.c,$(BUILD)/%,$(wildcard $(SRC)/tests/unit/test_*.c))
peer_tests := $(patsubst $(SRC)/%.c,$(BUILD)/%,$(wildcard $(SRC)/tests/peers/test_*.c))
edits := $(BUILD)/tests/edits/edits
fuzzers := $(patsubst $(SRC)/%.c,$(BUILD)/%,$(wildcard $(SRC)/tests/fuzz/fuzz_*.c))

# ---- generated sources: the grammar

ifneq ($(wildcard $(SRC)/grammar/allow.y),)
parser := $(BUILD)/grammar/allow.tab
lexer := $(BUILD)/grammar/allow.lex
generated += $(parser).c $(parser).h $(lexer).c $(lexer).h
library_objects += $(parser).o $(lexer).o

$(parser).c $(parser).h &: $(SRC)/grammar/allow.y | $(need_build)
	@mkdir -p $(@D)
	$(call say,BISON,$<)
	$(Q)$(BISON) -Wall -Werror --no-lines --header=$(parser).h --output=$(parser).c $<

# flex exits 0 after warnings: whatever it prints is an error. -Cf: full tables, a column a character; classes of
# characters would make them a quarter as large and a large policy's check a twentieth slower.
$(lexer).c $(lexer).h &: $(SRC)/grammar/allow.l | $(need_build)
	@mkdir -p $(@D)
	$(call say,FLEX,$<)
	$(Q)$(FLEX) -Cf -L --header-file=$(lexer).h --outfile=$(lexer).c $< 2>$(lexer).warnings; \
		status=$$?; cat $(lexer).warnings >&2; test $$status -eq 0 && test ! -s $(lexer).warnings

# The skeletons of bison and flex, not our text, convert between signed and unsigned.
$(parser).o $(lexer).o: WARNINGS += -Wno-conversion -Wno-sign-conversion -Wno-unused-function
$(parser).o $(lexer).o: ALL_CFLAGS = -std=c11 -D_GNU_SOURCE -fPIE $(INCLUDES) $(WARNINGS) \
	-Wno-conversion -Wno-sign-conversion -Wno-unused-function $(CFLAGS)
endif

# ---- generated sources: the tables of system calls and capabilities, from the text that people review

ifneq ($(wildcard $(SRC)/compiler/data/*.awk),)
tables := $(patsubst $(SRC)/%.awk,$(BUILD)/%.inc,$(wildcard $(SRC)/compiler/data/*.awk))
generated += $(tables)

$(BUILD)/compiler/data/%.inc: $(SRC)/compiler/data/%.awk $(SRC)/compiler/data/%.tsv
	@mkdir -p $(@D)
	$(call say,AWK,$<)
	$(Q)LC_ALL=C $(AWK) -f $^ > $@

pages := $(patsubst %,$(SRC)/compiler/data/pages/%.txt,policy artifacts import adr warnings)
$(BUILD)/compiler/data/pages.inc: $(SRC)/compiler/data/pages.awk $(pages)
	@mkdir -p $(@D)
	$(call say,AWK,$<)
	$(Q)LC_ALL=C $(AWK) -f $^ > $@

# The libraries of `use <std-…>` are part of the program.
libraries := $(sort $(wildcard $(SRC)/policies/std/*.allow))
$(eval $(call remember,.libraries,libraries))
$(BUILD)/compiler/data/libraries.inc: $(SRC)/compiler/data/libraries.awk $(libraries) $(BUILD)/.libraries
	@mkdir -p $(@D)
	$(call say,AWK,$<)
	$(Q)LC_ALL=C $(AWK) -f $< $(libraries) > $@
endif

# ---- generated: the manual page of diagnostics, of the pages that `allowc explain` shows

diagnostics_manual := $(BUILD)/allowc-diagnostics.7
$(diagnostics_manual): $(SRC)/packaging/man/diagnostics.awk $(pages)
	@mkdir -p $(@D)
	$(call say,AWK,$<)
	$(Q)LC_ALL=C $(AWK) -f $^ > $@

# ---- objects, library, program

$(eval $(call remember,.objects,library_objects))

$(library_objects) $(BUILD)/compiler/main.o: ALL_CFLAGS += $(HARDENING)

$(BUILD)/%.o: $(SRC)/%.c $(BUILD)/.flags | $(generated) $(need_build)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/%.o: $(BUILD)/%.c $(BUILD)/.flags | $(generated) $(need_build)
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/liballowc.a: $(library_objects) $(BUILD)/.objects
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $(library_objects)

# A copy, as an installed program is one: what ld writes piece by piece lies so in the page cache too, and a
# start takes a tenth longer from it (ext4 of Linux 6.18; less where files have no large folios).
$(BUILD)/allowc: $(BUILD)/compiler/main.o $(BUILD)/liballowc.a
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(HARDENED_LINK) $(STATIC) $(PACKED) $^ $(LIBS) -o $@.linked
	$(Q)cp $@.linked $@.copy && mv -f $@.copy $@ && rm $@.linked

# For valgrind, which replaces functions of the shared C library alone.
$(BUILD)/shared/allowc: $(BUILD)/compiler/main.o $(BUILD)/liballowc.a
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(HARDENED_LINK) $^ $(LIBS) -o $@

# ---- tests: programs that answer in TAP, run by tests/run

# To optimize a unit test takes three times as long as to run it; `make asan` shows the warnings that only the
# optimizer finds. Flags of the command line stand as they are.
ifeq ($(findstring _FORTIFY_SOURCE,$(CFLAGS)),)
$(unit_tests): private CFLAGS := $(CFLAGS:-O2=-O0)
endif

test_program = $(CC) $(ALL_CFLAGS) -MMD -MP -MF $@.d $(LDFLAGS) $< $(BUILD)/liballowc.a

$(BUILD)/tests/unit/%: $(SRC)/tests/unit/%.c $(BUILD)/liballowc.a | $(need_check)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(test_program) -lcmocka $(LIBS) -o $@

$(BUILD)/tests/peers/%: $(SRC)/tests/peers/%.c $(BUILD)/liballowc.a | $(need_check)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(test_program) -lcmocka -lseccomp $(LIBS) -o $@

$(edits): $(SRC)/tests/edits/edits.c $(BUILD)/liballowc.a | $(need_check)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(test_program) $(LIBS) -o $@

.SECONDARY: $(BUILD)/tests/fuzz/input.o
$(BUILD)/tests/fuzz/fuzz_%: $(SRC)/tests/fuzz/fuzz_%.c $(BUILD)/tests/fuzz/input.o $(BUILD)/liballowc.a | $(need_check)
	$(call say,CC,$<)
	$(Q)$(test_program) $(BUILD)/tests/fuzz/input.o $(BUILD)/liballowc.a -fsanitize=fuzzer $(LIBS) -o $@

LABEL ?= check
TIMEOUT ?= 300
PROGRAM := $(BUILD)/allowc
runner = $(PYTHON) $(SRC)/tests/run
# Python's own modules lie compiled beside their sources: with a cache of ours it would compile them once more.
run_tests = $(Q)ALLOWC=$(abspath $(PROGRAM)) ALLOWC_BUILD=$(abspath $(BUILD)) \
	CC='$(CC)' CXX='$(CXX)' CLANG='$(CLANG)' CLANGXX='$(CLANGXX)' PYTHON='$(PYTHON)' \
	PYTHONDONTWRITEBYTECODE=1 \
	$(runner) --label $(LABEL) --timeout $(TIMEOUT) $(if $(TALLY),--tally $(TALLY))

suite = $(SRC)/tests
golden_tests := '$(suite)/golden.py' '$(suite)/golden.py --fences README.md grammar/README.md'
# The command line's tests run the program under strace, where a leak checker cannot work.
cli_tests := $(patsubst %,'ASAN_OPTIONS=$(ASAN_OPTIONS):detect_leaks=0 %',$(wildcard $(suite)/cli/test_*.py))
use_tests := $(suite)/determinism.py $(suite)/artifacts.py $(suite)/machines.py $(suite)/harness.py
# The slow ones first: two run at a time.
suites := '$(edits) $(abspath $(suite)/golden)' $(cli_tests) $(use_tests) $(golden_tests)

unit: $(unit_tests)
	$(run_tests) $(unit_tests)

check: $(BUILD)/allowc $(unit_tests) $(edits)
	$(run_tests) $(suites) $(unit_tests)

# What takes seconds a test: each edit of each word, texts at the limits of size, and how time grows.
check-large: LABEL := check-large
check-large: TIMEOUT := 900
check-large: $(BUILD)/allowc $(edits) | $(need_check)
	$(run_tests) '$(edits) --all $(abspath $(suite)/golden)' $(wildcard $(suite)/large/test_*.py)

# Real sandboxes and container engines; needs root.
check-live: LABEL := check-live
check-live: $(BUILD)/allowc | $(need_check) $(need_live)
	$(run_tests) $(wildcard $(suite)/live/test_*.py)

# What a machine can do to a run: every system call fails, memory is short, somebody stops it.
failing_memory := $(BUILD)/tests/faults/failing_memory.so
$(failing_memory): $(SRC)/tests/faults/failing_memory.c $(BUILD)/.flags
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -shared -fPIC $(WARNINGS) -O2 -fno-builtin $< -o $@

check-faults: LABEL := check-faults
check-faults: TIMEOUT := 900
check-faults: $(BUILD)/allowc $(BUILD)/shared/allowc $(failing_memory) | $(need_check)
	$(run_tests) $(wildcard $(suite)/faults/test_*.py)

# The same decisions by libseccomp.
check-peers: LABEL := check-peers
check-peers: $(peer_tests)
	$(if $(peer_tests),$(run_tests) $(peer_tests),@:)

# Policies in builds by make, ninja, Meson and CMake.
check-builds: LABEL := check-builds
check-builds: $(BUILD)/allowc | $(need_check) $(need_builds)
	$(run_tests) $(wildcard $(suite)/builds/test_*.py)

# ---- the suite on other builds

sanitize := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# 99 is no exit status of allowc: no test takes a finding for the answer that it waits for.
asan:
	$(Q)ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99:print_stacktrace=1 \
		$(MAKE) $(again) check LABEL=asan TIMEOUT=900 BUILD=$(BUILD)/asan CFLAGS='$(sanitize)'

check-clang: $(BUILD)/allowc | $(need_check)
	$(Q)ALLOWC_PEER=$(abspath $(BUILD)/allowc) \
		$(MAKE) $(again) check LABEL=check-clang BUILD=$(BUILD)/clang CC=$(CLANG) CXX=$(CLANGXX)

memcheck := valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite
valgrind: LABEL := valgrind
valgrind: TIMEOUT := 1200
valgrind: PROGRAM := $(BUILD)/shared/allowc
valgrind: $(BUILD)/shared/allowc $(unit_tests)
	$(run_tests) --under '$(memcheck)' $(suite)/cli/test_list.py $(golden_tests) $(unit_tests)

# ---- hostile input (adr/0030): TIME seconds a harness, HARNESS='adr fmt' for some of them

TIME ?= 60
fuzzed := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
fuzz_build = BUILD=$(BUILD)/fuzz CC=$(CLANG) CFLAGS='$(fuzzed)'
fuzz: | $(need_check)
	$(Q)$(MAKE) $(again) $(fuzz_build) run-fuzz TIME=$(TIME) HARNESS='$(HARNESS)'

# The corpora and a fixed number of runs: the same each time.
fuzz-smoke: | $(need_check)
	$(Q)$(MAKE) $(again) $(fuzz_build) run-fuzz-smoke LABEL=fuzz-smoke

run-fuzz: $(if $(HARNESS),$(filter $(HARNESS:%=$(BUILD)/tests/fuzz/fuzz_%),$(fuzzers)),$(fuzzers))
	$(Q)ALLOWC_BUILD=$(abspath $(BUILD)) $(PYTHON) -B $(suite)/fuzz/fuzz.py --time $(TIME) $(HARNESS)

run-fuzz-smoke: $(fuzzers)
	$(run_tests) $(suite)/fuzz/fuzz.py

# Everything, to the end whatever fails; the last line is the sum over all tests.
steps := lint check check-large check-clang asan valgrind fuzz-smoke check-faults check-peers check-builds check-install check-deb check-live
check-all:
	@mkdir -p $(BUILD) && rm -f $(BUILD)/tally
	@for step in $(steps); do \
		printf '%s\n' "$$step:"; \
		$(MAKE) $(again) $$step TALLY=$(abspath $(BUILD)/tally) || \
			$(runner) --broken --label $$step --tally $(BUILD)/tally; \
	done
	@$(runner) --total $(BUILD)/tally

golden-update: $(BUILD)/allowc
	$(Q)ALLOWC=$(abspath $(BUILD)/allowc) $(PYTHON) -B $(suite)/golden.py --update

# ---- lint: each suppression stands with its reason in .clang-tidy or .cppcheck

.PHONY: lint-tidy lint-analyzer lint-cppcheck lint-shell lint-man lint-python lint-own
lint: lint-tidy lint-analyzer lint-cppcheck lint-shell lint-man lint-python lint-own

c_sources := $(sources:%=$(SRC)/%)
test_sources := $(wildcard $(addprefix $(SRC)/tests/,unit/*.c edits/*.c peers/*.c fuzz/*.c faults/*.c live/*.c bench/*.c))
shell_scripts := $(shell grep -lsE '^\#!/bin/(ba)?sh' $(wildcard $(SRC)/scripts/* $(SRC)/.ci/* $(SRC)/tests/*/*.sh \
	$(SRC)/packaging/github/*))
python_scripts := $(suite)/run $(wildcard $(SRC)/packaging/gen/*) $(wildcard $(suite)/*.py $(suite)/*/*.py)

# With clang-analyzer-*: the checkers of scan-build, and more of them than it runs. It would only read all again.
lint-tidy: $(generated) | $(need_lint)
	$(call say,TIDY,$(words $(c_sources)) files)
	@mkdir -p $(BUILD) && rm -f $(BUILD)/tidy.log
	$(Q)printf '%s\n' $(c_sources) | xargs -P 2 -n 8 sh -c \
		'clang-tidy --quiet --config-file=$(SRC)/.clang-tidy "$$@" -- -std=c11 -D_GNU_SOURCE $(INCLUDES) \
		2>>$(BUILD)/tidy.log' tidy || { grep -v 'warnings* generated' $(BUILD)/tidy.log >&2; exit 1; }

# gcc's analyzer, whatever compiler builds. It wants the optimizer, and a file that did not change is not read
# again. Nothing is suppressed: where it cannot know what holds, an assert says it.
analyze := $(GCC) -std=c11 -D_GNU_SOURCE $(INCLUDES) $(WARNINGS) -O2 -fanalyzer
$(eval $(call remember,.analyze,analyze))
analyzed := $(patsubst %.c,$(BUILD)/analyzed/%.o,$(sources))
$(analyzed): $(BUILD)/analyzed/%.o: $(SRC)/%.c $(BUILD)/.analyze | $(generated) $(need_lint)
	@mkdir -p $(@D)
	$(call say,ANALYZE,$<)
	$(Q)$(analyze) -MMD -MP -c $< -o $@
lint-analyzer: $(analyzed)

lint-cppcheck: $(generated) | $(need_lint)
	$(call say,CPPCHK,$(words $(c_sources) $(test_sources)) files)
	@mkdir -p $(BUILD)/cppcheck
	$(Q)cppcheck -j 2 --quiet --std=c11 --enable=warning,performance,portability --inline-suppr \
		--error-exitcode=1 --cppcheck-build-dir=$(BUILD)/cppcheck \
		--suppressions-list=$(SRC)/.cppcheck --library=$(SRC)/.cppcheck.cfg \
		$(INCLUDES) $(c_sources) $(test_sources)

lint-shell: | $(need_lint)
	$(call say,SHELL,$(notdir $(shell_scripts)))
	$(Q)shellcheck $(shell_scripts)

manuals := $(wildcard $(SRC)/packaging/man/*.[1-8]) $(diagnostics_manual)
lint-man: $(diagnostics_manual) | $(need_lint)
	$(if $(manuals),$(call say,MAN,$(notdir $(manuals))))
	$(if $(manuals),$(Q)mandoc -T lint -W warning $(manuals))

lint-python: | $(need_lint)
	$(call say,PYTHON,$(words $(python_scripts)) files)
	$(Q)PYTHONPYCACHEPREFIX=$(abspath $(BUILD)/pycache) $(PYTHON) -W error -m py_compile $(python_scripts)

# The project's own rules. One of them reads the symbols of the build.
lint-own: export ALLOWC_BUILD := $(abspath $(BUILD))
lint-own: $(BUILD)/allowc | $(need_lint)
	$(Q)status=0; for lint in $(wildcard $(SRC)/scripts/lint-*); do \
		printf '  %-7s %s\n' LINT "$${lint##*/}"; $$lint || status=1; \
	done; exit $$status

# ---- cover: what the suite does not reach, line by line in build/cover/index.html; generated code is left out

# The counts are written at each end of the program: by other users too, so the files are there before, and all can
# write them; and where a test fills the disk, so what the counting says is no output of the program. A test that
# fails all the same has been counted, and `make check` judges it: such as one that makes each system call fail, and
# meets those of the counting. A process that is killed while it counts leaves a line that gcovr cannot read, and
# says so. An assert's other branch is never taken.
cover_build = BUILD=$(BUILD)/cover CFLAGS='-O0 -g --coverage -include $(abspath $(suite))/cover/counted_exit.h'
cover: $(BUILD)/allowc | $(need_cover)
	@mkdir -p $(BUILD)/cover && find $(BUILD)/cover -name '*.gcda' -delete
	$(Q)$(MAKE) $(again) $(cover_build)
	$(Q)find $(BUILD)/cover -name '*.gcno' | sed 's/gcno$$/gcda/' | xargs touch
	$(Q)find $(BUILD)/cover -name '*.gcda' -exec chmod a+rw {} +
	$(Q)GCOV_ERROR_FILE=/dev/null $(MAKE) $(again) check LABEL=cover TIMEOUT=900 $(cover_build) || \
		printf '  %-7s %s\n' COVER 'tests failed: counted is what they reached'
	@find $(BUILD)/cover -name '*.gcda' -empty -delete
	$(Q)gcovr -j 2 --gcov-ignore-parse-errors --root $(SRC) --filter '$(abspath $(SRC))/(compiler|backends)/' \
		--exclude-unreachable-branches --exclude-branches-by-pattern '.*\bassert\(.*' \
		--exclude-directories '.*/tests$$' --html-details $(BUILD)/cover/index.html \
		--output $(BUILD)/cover/summary.txt --txt --print-summary $(BUILD)/cover

# ---- mutate: one small mistake at a time, and whether a test notices (CONTRIBUTING.md); long for all of them

mutate: | $(need_build) $(need_check)
	$(Q)ALLOWC_BUILD=$(abspath $(BUILD)) CC='$(CC)' $(PYTHON) -B $(suite)/mutation/mutate.py $(MUTANTS)

# ---- bench: every figure a ratio, or beside its peer

bench: $(BUILD)/allowc | $(need_bench)
	$(Q)for bench in $(sort $(wildcard $(suite)/bench/*.py)); do \
		ALLOWC=$(abspath $(BUILD)/allowc) ALLOWC_BUILD=$(abspath $(BUILD)) $(PYTHON) -B $$bench || exit 1; \
	done

# ---- a first look; installation: packaging/install.mk

demo: $(BUILD)/allowc | $(need_demo)
	$(Q)$(SRC)/scripts/demo $(BUILD)/allowc $(BUILD)/demo

include $(SRC)/packaging/install.mk

clean:
	$(Q)rm -rf $(BUILD)

-include $(library_objects:.o=.d) $(analyzed:.o=.d) $(BUILD)/compiler/main.d $(BUILD)/tests/fuzz/input.d \
	$(addsuffix .d,$(unit_tests) $(peer_tests) $(edits) $(fuzzers))
