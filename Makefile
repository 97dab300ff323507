# allowc: build, test, install. `make V=1` shows the commands.
.DELETE_ON_ERROR:
.SUFFIXES:

CC ?= cc
AWK ?= awk
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
library_objects := $(patsubst %.c,$(BUILD)/%.o,$(filter-out compiler/main.c,$(sources)))
unit_tests := $(patsubst $(SRC)/tests/unit/%.c,$(BUILD)/tests/unit/%,$(wildcard $(SRC)/tests/unit/test_*.c))

.PHONY: all unit check-peers clean
all: $(BUILD)/allowc

$(BUILD)/%.o: $(SRC)/%.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

# The tables of system calls and capabilities, from the text that people review.
$(BUILD)/compiler/data/%.inc: $(SRC)/compiler/data/%.awk $(SRC)/compiler/data/%.tsv
	@mkdir -p $(@D)
	$(call say,AWK,$<)
	$(Q)LC_ALL=C $(AWK) -f $^ > $@

$(BUILD)/compiler/data/syscalls.o: $(BUILD)/compiler/data/syscalls.inc
$(BUILD)/compiler/data/capabilities.o: $(BUILD)/compiler/data/capabilities.inc

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

# Our verdicts against other compilers of filters.
$(BUILD)/tests/peers/libseccomp: $(SRC)/tests/peers/libseccomp.c $(BUILD)/liballowc.a
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -MF $@.d $(LDFLAGS) $< $(BUILD)/liballowc.a -lseccomp $(LIBS) -o $@

check-peers: $(BUILD)/tests/peers/libseccomp
	$(Q)$< 300

clean:
	rm -rf $(BUILD)

-include $(library_objects:.o=.d) $(BUILD)/compiler/main.d $(unit_tests:=.d) $(BUILD)/tests/peers/libseccomp.d
