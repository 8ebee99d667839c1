/*
 * rules.h - the rules that are checked, as SPEC.md defines them. gen_rules.py
 * makes the table, so that nothing is written twice.
 */
#ifndef TR2_RULES_RULES_H
#define TR2_RULES_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "rules/finding/finding.h"

struct tr2_example {
	const char *text; /* NULL: too long to show */
	size_t len;
};

/* The classes of emitters, as bits. */
enum tr2_class { TR2_CLASS_MIN = 1, TR2_CLASS_FULL = 2, TR2_CLASS_GIT = 4 };

struct tr2_rule {
	const char *id;
	unsigned classes;     /* that it binds; 0: it is no rule for emitters */
	enum tr2_level level; /* level of its findings */
	const char *keyword;  /* MUST, ... */
	const char *document; /* SPEC.md, or another part of it */
	const char *anchor;   /* the section's anchor in the document */
	const char *sentence;
	const char *why; /* why the rule exists */
	struct tr2_example bad, good;
};

extern const struct tr2_rule tr2_rules[]; /* sorted by id */
extern const size_t tr2_rules_count;

/* Returns the rule with this id, or NULL. */
const struct tr2_rule *tr2_rules_find(const char *id);
/* Is this the id, or the part of it before a dot? */
bool tr2_rules_is_prefix(const char *prefix, const char *id);
/* Is it that of any rule? */
bool tr2_rules_have(const char *prefix);

/* Names of the classes; the last one is NULL. The n-th is bit n. */
extern const char *const tr2_class_names[];

/* Write the place of the rule, as this program's user finds it. */
void tr2_rules_cite(struct tr2_buf *out, const struct tr2_rule *rule);
/*
 * What --list-rules and --explain print. NULL for all ids, and 0 for all
 * classes; what is no rule for emitters is in each class.
 */
void tr2_rules_list(struct tr2_buf *out, const char *prefix, unsigned classes);
void tr2_rules_explain(struct tr2_buf *out, const struct tr2_rule *rule);

#endif
