# What is installed, and what is made for that alone: a part of the Makefile.

.PHONY: install uninstall check-install

need_install := $(BUILD)/.dependencies-install
$(need_install): | $(need_build)

# ---- what shells complete: the compiler's own tables, put into words by a program of the build

completion_tables := $(BUILD)/packaging/completions/tables
$(completion_tables): $(SRC)/packaging/completions/tables.c $(BUILD)/liballowc.a | $(need_build)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -MF $@.d $(LDFLAGS) $< $(BUILD)/liballowc.a $(LIBS) -o $@
-include $(completion_tables).d

$(completion_tables).tsv: $(completion_tables)
	$(call say,TABLES,$@)
	$(Q)ASAN_OPTIONS=$(ASAN_OPTIONS):detect_leaks=0 $< > $@

# As each shell looks for it.
completions := $(addprefix $(BUILD)/packaging/completions/,bash/allowc zsh/_allowc fish/allowc.fish)
completion_parts = $(addprefix $(SRC)/packaging/completions/,$1.awk allowc.$1)
define completion
$(BUILD)/packaging/completions/$1/$2: $(completion_tables).tsv $(call completion_parts,$1)
	@mkdir -p $$(@D)
	$$(call say,AWK,$$@)
	$(Q)LC_ALL=C $(AWK) -f $(SRC)/packaging/completions/$1.awk $$< > $$@
	$(Q)cat $(SRC)/packaging/completions/allowc.$1 >> $$@
endef
$(eval $(call completion,bash,allowc))
$(eval $(call completion,zsh,_allowc))
$(eval $(call completion,fish,allowc.fish))
all: $(completions)

# ---- for pkg-config: where the program is

$(eval $(call remember,.prefix,PREFIX))
pkgconfig := $(BUILD)/packaging/allowc.pc
$(pkgconfig): $(SRC)/packaging/allowc.pc.in $(SRC)/compiler/version.h $(BUILD)/.prefix | absolute-prefix
	@mkdir -p $(@D)
	$(call say,PC,$@)
	$(Q)version=$$(sed -n 's/^#define ALLOWC_VERSION "\(.*\)"$$/\1/p' $(SRC)/compiler/version.h); \
		sed -e "s|@VERSION@|$$version|" -e 's|@PREFIX@|$(PREFIX)|' $< > $@

# ---- one list: `install` follows it, `uninstall` takes back what it names

BASH_COMPLETIONS ?= share/bash-completion/completions
ZSH_COMPLETIONS ?= share/zsh/site-functions
FISH_COMPLETIONS ?= share/fish/vendor_completions.d

# $(call put,MODE,FOLDER below the prefix,FILES)
put = $(foreach file,$3,$1=$2=$(file))
man_pages = $(wildcard $(SRC)/packaging/man/*.$1)
installed = \
	$(call put,755,bin,$(BUILD)/allowc $(wildcard $(SRC)/packaging/gen/allowc-gen-*)) \
	$(call put,644,share/man/man1,$(call man_pages,1)) \
	$(call put,644,share/man/man5,$(call man_pages,5)) \
	$(call put,644,share/man/man7,$(diagnostics_manual)) \
	$(call put,644,$(BASH_COMPLETIONS),$(filter %/bash/allowc,$(completions))) \
	$(call put,644,$(ZSH_COMPLETIONS),$(filter %/zsh/_allowc,$(completions))) \
	$(call put,644,$(FISH_COMPLETIONS),$(filter %/allowc.fish,$(completions))) \
	$(call put,644,share/vim/vimfiles/syntax,$(SRC)/packaging/vim/syntax/allow.vim) \
	$(call put,644,share/vim/vimfiles/ftdetect,$(SRC)/packaging/vim/ftdetect/allow.vim) \
	$(call put,644,share/pkgconfig,$(pkgconfig)) \
	$(call put,644,share/cmake/allowc,$(wildcard $(SRC)/packaging/cmake/*.cmake)) \
	$(call put,644,share/allowc/std,$(libraries)) \
	$(call put,644,share/allowc/schema,$(wildcard $(SRC)/packaging/schema/*.json)) \
	$(call put,644,share/allowc/github,$(SRC)/packaging/github/allowc.yml) \
	$(call put,755,share/allowc/github,$(SRC)/packaging/github/review) \
	$(call put,644,share/doc/allowc,$(addprefix $(SRC)/,README.md ARCHITECTURE.md CONTRIBUTING.md)) \
	$(call put,644,share/doc/allowc/adr,$(wildcard $(SRC)/adr/*.md)) \
	$(foreach phase,$(notdir $(wildcard $(SRC)/adr/phase*)),$(call \
		put,644,share/doc/allowc/adr/$(phase),$(wildcard $(SRC)/adr/$(phase)/*.md))) \
	$(call put,644,share/doc/allowc/policies,$(wildcard $(SRC)/policies/*.allow)) \
	$(call put,644,share/doc/allowc/policies/std,$(libraries)) \
	$(call put,644,share/doc/allowc/docs,$(wildcard $(SRC)/docs/*.md)) \
	$(call put,644,share/doc/allowc/grammar,$(SRC)/grammar/README.md) \
	$(call put,644,share/doc/allowc/packaging/builds,$(SRC)/packaging/builds/README.md)

root = $(DESTDIR)$(PREFIX)
# Runs $1 for each file of the list, with its mode, its place in the source or the build, and where it goes.
for_installed = for entry in $(installed); do \
	mode=$${entry%%=*}; folder=$${entry\#*=}; file=$${folder\#*=}; folder=$${folder%%=*}; \
	place='$(root)'/$$folder/$${file\#\#*/}; $1 || exit; done

# allowc.pc says where everything is, from wherever it is asked; it, sed and the shell get PREFIX as it stands. The
# environment has the text before make has expanded it: what make took out is seen, too.
.PHONY: absolute-prefix
absolute-prefix: export PREFIX_TEXT = $(value PREFIX)
absolute-prefix: export DESTDIR_TEXT = $(value DESTDIR)
absolute-prefix:
	@case "$$PREFIX_TEXT" in *[[:cntrl:][:space:]\&\|\'\"\\\$$\#\`]*) echo "PREFIX has a character that allowc.pc, make" \
		"or the shell would take for more than itself: a blank, a control character, or one of" \
		'& | '\'' " \ $$ # `' >&2; exit 2 ;; esac
	@case "$$PREFIX_TEXT" in /*) ;; *) echo "PREFIX is an absolute path, not '$$PREFIX_TEXT'" >&2; exit 2 ;; esac
	@case "$$DESTDIR_TEXT" in *[\'\$$]*) echo "DESTDIR has a character that make or the shell would take for more" \
		"than itself: one of ' \$$" >&2; exit 2 ;; esac

install: absolute-prefix all $(pkgconfig)
	$(call say,INSTALL,$(root))
	$(Q)$(call for_installed,install -D -m $$mode "$$file" "$$place")

# Folders go where nothing is in them any more: of our own all that are below them, of those that programs share
# the ones of the list, upwards to what every system has.
own_folders = share/allowc share/cmake/allowc share/doc/allowc
installed_folders = $(sort $(foreach entry,$(installed),$(word 2,$(subst =, ,$(entry)))))
uninstall: absolute-prefix
	$(call say,REMOVE,$(root))
	$(Q)$(call for_installed,rm -f "$$place")
	$(Q)for folder in $(own_folders); do place='$(root)'/$$folder; \
		[ ! -d "$$place" ] || find "$$place" -depth -type d -empty -delete; done
	$(Q)for folder in $(installed_folders); do \
		while case $$folder in share/man) false ;; */*) ;; *) false ;; esac; do place='$(root)'/$$folder; \
			[ ! -d "$$place" ] || rmdir "$$place" 2>/dev/null || break; folder=$${folder%/*}; done; done

# ---- tests: what is installed, what shells complete, what Vim colours

check-install: LABEL := check-install
check-install: all | $(need_check) $(need_install)
	$(run_tests) $(wildcard $(suite)/install/test_*.py)

# What of this `make lint` reads, too.
c_sources += $(SRC)/packaging/completions/tables.c
shell_scripts += $(filter %/bash/allowc,$(completions))
lint-shell: $(completions)

# ---- a package for Debian: packaging/debian, in a copy of the source

.PHONY: deb check-deb

need_deb := $(BUILD)/.dependencies-deb
$(need_deb): | $(need_build)

deb_folder := $(BUILD)/deb
deb_source := $(deb_folder)/source
left_out := ./.git ./build ./generated ./tests ./packaging/debian $(patsubst $(abspath $(SRC))/%,./%,$(abspath $(BUILD)))
deb: | $(need_build) $(need_deb)
	$(call say,DEB,$(deb_folder))
	$(Q)rm -rf $(deb_folder) && mkdir -p $(deb_source)
	$(Q)tar -C $(SRC) $(left_out:%=--exclude=%) -cf $(deb_folder)/source.tar .
	$(Q)tar -C $(deb_source) -xf $(deb_folder)/source.tar && rm $(deb_folder)/source.tar
	$(Q)cp -R $(SRC)/packaging/debian $(deb_source)/debian
	$(Q)cd $(deb_source) && env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS DEB_BUILD_OPTIONS='nocheck noautodbgsym parallel=2' \
		dpkg-buildpackage --build=binary --no-sign >../log 2>&1 || { cat ../log >&2; exit 1; }
	$(Q)rm -rf $(deb_source)

# The package by lintian, and in a root of its own by mmdebstrap; needs root and a mirror for that.
check-deb: LABEL := check-deb
check-deb: TIMEOUT := 900
check-deb: $(BUILD)/allowc deb | $(need_check)
	$(run_tests) $(wildcard $(suite)/deb/test_*.py)
