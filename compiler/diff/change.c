#include "compiler/diff/change.h"

static const struct {
	const char *name, *meaning;
} classes[CHANGE_COUNT] = {
#define X(id, name, meaning) { name, meaning },
	CHANGE_LIST(X)
#undef X
};

const char *change_name(enum change_class class)
{
	return classes[class].name;
}

const char *change_meaning(enum change_class class)
{
	return classes[class].meaning;
}

const char *axis_name(enum axis axis)
{
	static const char *const names[AXIS_COUNT] = {
#define X(id, name) name,
		AXIS_LIST(X)
#undef X
	};
	return names[axis];
}

const char *axis_relation(struct axis_verdict verdict)
{
	if (verdict.more && verdict.less)
		return "incomparable";
	return verdict.more ? "wider" : verdict.less ? "narrower" : "equal";
}

bool comparison_is_equivalent(const struct compared *comparison)
{
	for (size_t i = 0; i < AXIS_COUNT; i++)
		if (comparison->axes[i].more || comparison->axes[i].less)
			return false;
	return true;
}

int comparison_exit_status(const struct compared *comparison)
{
	return comparison->change_count || !comparison_is_equivalent(comparison);
}
