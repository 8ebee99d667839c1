#include "views/summary/summary.h"

#include <stdio.h>
#include <string.h>

#include "cli/exit.h"
#include "cli/options.h"
#include "explain_rows.h"
#include "lib/text/foreign.h"

#define PUT_ROW(category, label, text, setting) \
	{ category, label, text, setting },

static const struct tr2_explained regions[] = { EXPLAIN_ROWS(PUT_ROW) };

static bool is_begin(const char *label, const char *wanted)
{
	size_t len = strlen(label);

	if (len && label[len - 1] == '*')
		return !strncmp(label, wanted, len - 1);
	return !strcmp(label, wanted);
}

/* Without a label all regions of the category are meant. */
static bool is_meant(const struct tr2_explained *region, const char *name)
{
	size_t len = strlen(region->category);

	if (strncmp(region->category, name, len) != 0)
		return false;
	return !name[len] ||
	       (name[len] == '/' && is_begin(region->label, name + len + 1));
}

const struct tr2_explained *tr2_explain_find(const char *category,
					     const char *label)
{
	for (size_t i = 0; i < sizeof(regions) / sizeof(regions[0]); i++)
		if (!strcmp(regions[i].category, category) &&
		    is_begin(regions[i].label, label))
			return &regions[i];
	return NULL;
}

int tr2_explain_region(const char *name)
{
	bool is_whole = strchr(name, '/') != NULL;
	unsigned told = 0;

	for (size_t i = 0; i < sizeof(regions) / sizeof(regions[0]); i++) {
		if (!is_meant(&regions[i], name) || (is_whole && told))
			continue;
		printf("%s/%s: git %s%s\n  settings: %s\n", regions[i].category,
		       regions[i].label,
		       regions[i].text[1] == ' ' ? "does " : "",
		       regions[i].text, regions[i].setting);
		told++;
	}
	if (told)
		return EXIT_CLEAN;
	tr2_foreign_complain("summary",
			     "no region of git that is known has this name; "
			     "expected CATEGORY or CATEGORY/LABEL",
			     name);
	return EXIT_USAGE;
}
