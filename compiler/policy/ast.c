#include "compiler/policy/ast.h"

const char *verb_word(enum verb verb)
{
	static const char *const words[] = {
#define X(id, word) word,
		VERB_LIST(X)
#undef X
	};
	return words[verb];
}

const char *attribute_word(enum attribute attribute)
{
	static const char *const words[] = {
#define X(id, word) word,
		ATTRIBUTE_LIST(X)
#undef X
	};
	return words[attribute];
}

const char *setting_word(enum setting setting)
{
	static const char *const words[] = {
#define X(id, word) word,
		SETTING_LIST(X)
#undef X
	};
	return words[setting];
}

const char *expectation_word(enum expectation expectation)
{
	static const char *const words[] = {
#define X(id, word) word,
		EXPECTATION_LIST(X)
#undef X
	};
	return words[expectation];
}
