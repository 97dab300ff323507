# allowc: build, test, install. `make V=1` shows the commands.
.DELETE_ON_ERROR:
.SUFFIXES:

CC ?= cc
FLEX ?= flex
BISON ?= bison
PKG_CONFIG ?= pkg-config
PYTHON ?= /usr/bin/python3
BUILD ?= build
SRC := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
CFLAGS ?= -O2 -g
ALL_CFLAGS := -std=c11 -D_GNU_SOURCE -I$(SRC) -I$(BUILD) $(WARNINGS) $(CFLAGS)
LIBS := -lyaml -ljansson -lmd

Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-7s %s\n' '$1' '$(patsubst $(SRC)/%,%,$2)')

sources := $(patsubst $(SRC)/%,%,$(wildcard $(addprefix $(SRC)/,compiler/base/*.c compiler/policy/*.c compiler/data/*.c compiler/*.c compiler/commands/*.c backends/*.c backends/filter/*.c)))
grammar_objects := $(BUILD)/grammar/allow.tab.o $(BUILD)/grammar/allow.lex.o
grammar_headers := $(BUILD)/grammar/allow.tab.h $(BUILD)/grammar/allow.lex.h
library_objects := $(patsubst %.c,$(BUILD)/%.o,$(filter-out compiler/main.c,$(sources))) $(grammar_objects)
unit_tests := $(patsubst $(SRC)/tests/unit/%.c,$(BUILD)/tests/unit/%,$(wildcard $(SRC)/tests/unit/test_*.c))

.PHONY: all unit clean
all: $(BUILD)/allowc

$(BUILD)/%.o: $(SRC)/%.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

# The scanner and the parser. flex exits 0 after a warning, so anything that it prints fails the build.
# -Cfe: full tables, by classes of characters.
$(BUILD)/grammar/allow.tab.c: $(SRC)/grammar/allow.y
	@mkdir -p $(@D)
	$(call say,BISON,$<)
	$(Q)$(BISON) -Werror -Wall --no-lines -o $@ --defines=$(@:.c=.h) $<

$(BUILD)/grammar/allow.lex.c: $(SRC)/grammar/allow.l
	@mkdir -p $(@D)
	$(call say,FLEX,$<)
	$(Q)$(FLEX) -Cfe -L --header-file=$(@:.c=.h) -o $@ $< 2>$@.messages; status=$$?; \
		cat $@.messages >&2; test $$status = 0 && ! test -s $@.messages

$(BUILD)/grammar/allow.tab.h: $(BUILD)/grammar/allow.tab.c ;
$(BUILD)/grammar/allow.lex.h: $(BUILD)/grammar/allow.lex.c ;

# The skeletons of flex and bison convert between int, size_t and char without casts, and flex keeps
# helpers that this scanner does not call: their code, not ours, is let off these warnings.
$(grammar_objects): $(BUILD)/grammar/%.o: $(BUILD)/grammar/%.c $(grammar_headers)
	$(call say,CC,$@)
	$(Q)$(CC) $(ALL_CFLAGS) -Wno-conversion -Wno-sign-compare -Wno-unused -MMD -MP -c $< -o $@

# Who includes the generated headers needs them before the first dependency file is there.
$(patsubst %,$(BUILD)/compiler/policy/%.o,keyword lexer parse syntax): | $(grammar_headers)

$(BUILD)/liballowc.a: $(library_objects)
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar rcs $@ $^

$(BUILD)/allowc: $(BUILD)/compiler/main.o $(BUILD)/liballowc.a
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) $^ $(LIBS) -o $@

$(BUILD)/tests/unit/%: $(SRC)/tests/unit/%.c $(BUILD)/liballowc.a
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -MF $@.d $(LDFLAGS) $< $(BUILD)/liballowc.a -lcmocka $(LIBS) -o $@

unit: $(unit_tests)
	$(Q)status=0; for t in $^; do $$t || status=1; done; exit $$status

clean:
	rm -rf $(BUILD)

-include $(library_objects:.o=.d) $(BUILD)/compiler/main.d $(unit_tests:=.d)
