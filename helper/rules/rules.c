#include "rules/rules.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/text/foreign.h"
#include "lib/text/text.h"

#define INDENT "    "

const char *const tr2_class_names[] = { "min", "full", "git", NULL };

static int compare_id(const void *id, const void *rule)
{
	return strcmp(id, ((const struct tr2_rule *)rule)->id);
}

const struct tr2_rule *tr2_rules_find(const char *id)
{
	return bsearch(id, tr2_rules, tr2_rules_count, sizeof(*tr2_rules),
		       compare_id);
}

bool tr2_rules_is_prefix(const char *prefix, const char *id)
{
	size_t len = strlen(prefix);

	return !strncmp(prefix, id, len) && (!id[len] || id[len] == '.');
}

bool tr2_rules_have(const char *prefix)
{
	size_t i = tr2_rules_count;

	while (i && !tr2_rules_is_prefix(prefix, tr2_rules[i - 1].id))
		i--;
	return i;
}

void tr2_rules_list(struct tr2_buf *out, const char *prefix, unsigned classes)
{
	const struct tr2_rule *rule = tr2_rules;

	for (; rule < tr2_rules + tr2_rules_count; rule++) {
		if ((prefix && !tr2_rules_is_prefix(prefix, rule->id)) ||
		    (classes && rule->classes && !(rule->classes & classes)))
			continue;
		tr2_text_put(out, "%s\t%s\t%s\n", rule->id,
			     tr2_level_names[rule->level], rule->sentence);
	}
}

static void put_example(struct tr2_buf *out, const char *title,
			const struct tr2_example *example)
{
	const char *at = example->text, *end, *line_end;

	tr2_text_put(out, "\n%s:\n\n", title);
	if (!at) {
		tr2_buf_str(out, INDENT "(too long to be shown)\n");
		return;
	}
	end = at + example->len;
	if (at == end)
		tr2_buf_str(out, INDENT "(nothing at all)\n");
	for (; at < end; at = line_end + 1) {
		line_end = memchr(at, '\n', (size_t)(end - at));
		line_end = line_end ? line_end : end;
		tr2_buf_str(out, INDENT);
		tr2_foreign_line(out, at, (size_t)(line_end - at));
		tr2_buf_byte(out, '\n');
	}
}

/* The folder of the specification, with a slash, or "" as in the repository. */
static char folder[PATH_MAX + 32];

/* That of an installed program is ../share/doc/trace2/ of its directory. */
static void find_folder(void)
{
	char program[PATH_MAX] = "";
	char *slash;

	if (readlink("/proc/self/exe", program, sizeof(program) - 1) < 0 ||
	    !(slash = strrchr(program, '/')))
		return;
	*slash = '\0';
	slash = strrchr(program, '/');
	if (!slash)
		return;
	slash[1] = '\0';
	snprintf(folder, sizeof(folder), "%sshare/doc/trace2/SPEC.md", program);
	*(access(folder, R_OK) ? folder : strrchr(folder, 'S')) = '\0';
}

void tr2_rules_cite(struct tr2_buf *out, const struct tr2_rule *rule)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, find_folder);
	tr2_text_put(out, "%s%s#%s", folder, rule->document, rule->anchor);
}

void tr2_rules_explain(struct tr2_buf *out, const struct tr2_rule *rule)
{
	tr2_text_put(out, "%s (%s; ", rule->id, tr2_level_names[rule->level]);
	tr2_rules_cite(out, rule);
	tr2_text_put(out, ", %s)\n\n%s\n\nWhy: %s\n", rule->keyword,
		     rule->sentence, rule->why);
	put_example(out, "Bad", &rule->bad);
	put_example(out, "Good", &rule->good);
}
