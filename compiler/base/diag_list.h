/*
 * Every diagnostic, once: X(IDENTIFIER, "name", default severity, whether -W may change it, summary).
 * The list feeds the enum, -W, the documentation and the tests. Those that are FIXED say that the text
 * means nothing valid; no option turns them off. OFF is a warning that only -Wname turns on: what it tells
 * is mostly meant.
 */
#ifndef ALLOWC_BASE_DIAG_LIST_H
#define ALLOWC_BASE_DIAG_LIST_H

#define DIAG_LIST(X)                                                                                         \
	/* the text */                                                                                       \
	X(ENCODING, "encoding", ERROR, FIXED, "a character that a reviewer cannot see, or no UTF-8")         \
	X(WORD, "word", ERROR, FIXED, "a character that cannot stand in a bare word")                        \
	X(STRING, "string", ERROR, FIXED, "a string without its end, or with an unknown escape")             \
	X(SYNTAX, "syntax", ERROR, FIXED, "a statement that is not of any known form")                       \
	X(BLOCK, "block", ERROR, FIXED, "a block that is not closed, or stands where none can")              \
	X(CONDITION, "condition", ERROR, FIXED, "a condition that does not parse, or compares no argument")  \
	X(LIMIT, "limit", ERROR, FIXED, "more of something than allowc takes")                               \
	/* statements */                                                                                     \
	X(POLICY, "policy", ERROR, FIXED, "`policy NAME` is missing, late, repeated or no name")             \
	X(EDITION, "edition", ERROR, FIXED, "an edition that this allowc does not know")                     \
	X(DUPLICATE, "duplicate", ERROR, FIXED, "said twice in one place")                                   \
	X(LAYER, "layer", ERROR, FIXED, "a layer that is missing, extends itself, or is too deep")           \
	X(LIBRARY, "library", ERROR, FIXED, "a library file that is missing or holds more than groups")      \
	X(DECISIONS, "decisions", ERROR, FIXED, "a folder of ADRs that is not there")                        \
	/* rows */                                                                                           \
	X(MISSING_ADR, "missing-adr", ERROR, FIXED, "a row that cites no ADR")                               \
	X(MISSING_REASON, "missing-reason", ERROR, FIXED, "a row without the reason that it must have")      \
	X(COMMAND, "command", ERROR, FIXED, "a command that cannot match, or is spelt wrongly")              \
	X(SUBJECT, "subject", ERROR, FIXED, "a verb that its subject cannot take")                           \
	X(ATTRIBUTE, "attribute", ERROR, FIXED, "an attribute that this row cannot have")                    \
	X(VALUE, "value", ERROR, FIXED, "a value outside its closed set or form")                            \
	X(CAPABILITY, "capability", ERROR, FIXED, "a capability that Linux does not have")                   \
	X(SYSCALL, "syscall", ERROR, FIXED, "a system call that no ABI has")                                 \
	X(ARGUMENT, "argument", ERROR, FIXED, "an argument that the system call does not have")              \
	X(CONSTANT, "constant", ERROR, FIXED, "a constant that no header has, or no number")                 \
	X(GROUP, "group", ERROR, FIXED, "a group that is not defined, or in a circle")                       \
	X(REQUIRES, "requires", ERROR, FIXED, "a required command that is not allowed")                      \
	/* layers */                                                                                         \
	X(REPEAT, "repeat", ERROR, FIXED, "a row that a layer below has already")                            \
	X(CONFLICT, "conflict", ERROR, FIXED, "allowed in one layer and forbidden in another")               \
	X(REVOKE, "revoke", ERROR, FIXED, "a revoke of a row that no layer below has")                       \
	X(WIDENS, "widens", ERROR, FIXED, "lets more pass than what stands below it")                        \
	X(NEEDS_DENIED, "needs-denied", ERROR, FIXED, "an allowed command whose needs are denied")           \
	X(ACTION_CONFLICT, "action-conflict", ERROR, FIXED, "two rows deny one call in two ways")            \
	X(NO_EFFECT, "no-effect", ERROR, FIXED, "a row or setting that could change nothing")                \
	X(TOOL, "tool", ERROR, FIXED, "a plugin's tool that is not allowed, or has no spelling of its own")  \
	X(EXPECT, "expect", ERROR, FIXED, "an expectation that does not hold")                               \
	/* artifacts */                                                                                      \
	X(OUTPUT, "output", ERROR, FIXED, "an artifact would replace a file that is not allowc's own")       \
	X(OUTSIDE, "outside", ERROR, FIXED, "a path outside the project, through a link, or onto an input")  \
	X(REGION, "region", ERROR, FIXED, "markers in a file that do not make regions")                      \
	X(REGION_IMPORT, "region-import", WARNING, OPEN,                                                     \
	  "a region of Python that uses what its file does not import")                                      \
	X(MANIFEST, "manifest", ERROR, FIXED, "a plugin.yaml that cannot be edited without a guess")         \
	X(IMPORT_PROFILE, "import-profile", ERROR, FIXED, "a seccomp profile that no policy says exactly")   \
	X(PLUGIN_NAME, "plugin-name", WARNING, OPEN, "a plugin.yaml that names another plugin")              \
	X(PLUGIN_FILE, "plugin-file", WARNING, OPEN,                                                         \
	  "a plugin.yaml that is not there, beside one of nearly its name")                                  \
	X(PLUGIN_COMMENT, "plugin-comment", WARNING, OPEN,                                                   \
	  "a comment in a plugin.yaml above an item that goes")                                              \
	X(ORPHAN, "orphan", WARNING, OPEN,                                                                   \
	  "an artifact no longer produced, kept since it was edited by hand")                                \
	X(GENERATOR, "generator", ERROR, FIXED, "a generator that failed, or answered what cannot be taken") \
	X(GENERATOR_SAYS, "generator-says", WARNING, OPEN,                                                   \
	  "a generator that did its work and had something to say")                                          \
	X(FILTER_SIZE, "filter-size", ERROR, FIXED, "a filter that the kernel would not take")               \
	X(OCI_REPLACES_DEFAULT, "oci-replaces-default", WARNING, OPEN,                                       \
	  "a profile that lets engines pass more")                                                           \
	X(OCI_CONDITION, "oci-condition", ERROR, FIXED, "a condition that no container profile can say")     \
	X(OCI_LEFT_OUT, "oci-left-out", WARNING, OPEN,                                                       \
	  "a container profile that is not made for that reason")                                            \
	/* import */                                                                                         \
	X(IMPORT_FORM, "import-form", ERROR, FIXED,                                                          \
	  "a file that cannot be imported without running or guessing")                                      \
	X(IMPORT_ENTRY, "import-entry", ERROR, FIXED, "an imported entry that no row can name")              \
	X(IMPORT_WIDER, "import-wider", WARNING, OPEN,                                                       \
	  "a row that allows more than the entry that it comes from")                                        \
	X(IMPORT_NARROWER, "import-narrower", WARNING, OPEN,                                                 \
	  "what a profile lets pass somewhere, and the policy nowhere")                                      \
	X(IMPORT_CONFLICT, "import-conflict", ERROR, FIXED, "imported as allowed and as not, in two places") \
	/* ADRs */                                                                                           \
	X(ADR_MISSING, "adr-missing", ERROR, OPEN, "no ADR of that number in the scope's folder")            \
	X(ADR_AMBIGUOUS, "adr-ambiguous", ERROR, OPEN, "several ADRs of that number")                        \
	X(ADR_STATUS, "adr-status", ERROR, OPEN, "an ADR that is not accepted")                              \
	X(ADR_SCOPE, "adr-scope", ERROR, OPEN, "a scope of ADRs that no `decisions` defines")                \
	X(ADR_SUPERSEDED, "adr-superseded", WARNING, OPEN,                                                   \
	  "superseded by an accepted ADR that names the subject")                                            \
	X(ADR_SILENT, "adr-silent", WARNING, OPEN, "an ADR that does not name the row's subject")            \
	X(ADR_BLOCK, "adr-block", ERROR, OPEN, "rows in an ADR's fence that differ from those that cite it") \
	X(ADR_LINK, "adr-link", ERROR, OPEN, "a link in an ADR to a file that is not there (adr check)")     \
	X(ADR_CIRCLE, "adr-circle", ERROR, OPEN, "ADRs that supersede each other in a circle (adr check)")   \
	X(ADR_ONE_SIDED, "adr-one-sided", ERROR, OPEN,                                                       \
	  "a relation that only one of two ADRs tells (adr check)")                                          \
	X(ADR_UNCHECKED, "adr-unchecked", WARNING, OPEN, "a policy without `decisions`: no ADR is opened")   \
	/* warnings */                                                                                       \
	X(REASON, "reason", WARNING, OPEN, "an allow row without `because`")                                 \
	X(DECLINED, "declined", WARNING, OPEN, "declined here, but allowed by a layer below")                \
	X(KERNEL_NAME, "kernel-name", WARNING, OPEN, "a command named like a system call or capability")     \
	X(SPELLING_TWIN, "spelling-twin", WARNING, OPEN, "a name that is easily taken for another")          \
	X(PREFIX_FORBID, "prefix-forbid", WARNING, OPEN, "a forbidden sub-command of an allowed program")    \
	X(LITERAL_GLOB, "literal-glob", WARNING, OPEN,                                                       \
	  "a '*' behind a program's name, which no row expands")                                             \
	X(EXPIRED, "expired", WARNING, OPEN, "a row whose `until` lies before --today")                      \
	X(LAPSED, "lapsed", WARNING, OPEN, "an expectation of a lower layer whose row is revoked above")     \
	X(ACTION, "action", WARNING, OPEN, "a `with` that lets calls pass, or on a row that denies none")    \
	X(OTHER_ABI, "other-abi", WARNING, OPEN, "a denied call that no ABI of the policy has")              \
	X(PLATFORM, "platform", WARNING, OPEN,                                                               \
	  "a row about system calls that is not for linux: no filter has it")                                \
	X(HOT, "hot", WARNING, OPEN, "a `hot` call that is denied, or that no named ABI has")                \
	X(INCOMPLETE_GROUP, "incomplete-group", WARNING, OPEN, "a denied call that another call does too")   \
	X(KNOWN_NEEDS, "known-needs", WARNING, OPEN, "a program that is known to need what is denied")       \
	X(LAUNCHER, "launcher", OFF, OPEN, "an allowed program that runs any other (off by default)")        \
	X(COVERED, "covered", OFF, OPEN, "an allow row that a shorter one covers (off by default)")          \
	X(CAPABILITY_UNSEEN, "capability-unseen", WARNING, OPEN, "a capability that no filter can see")      \
	X(FIXED_CONDITION, "fixed-condition", WARNING, OPEN, "a condition that always holds, or never")      \
	X(UNSEEN_ARGUMENT, "unseen-argument", WARNING, OPEN, "an argument that no filter of some ABI can see")

#endif
