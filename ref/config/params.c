#include "config/params.h"

#include <string.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "config/gitconfig.h"
#include "config/glob.h"
#include "base/host.h"

struct item {
	const char *text;
	size_t len;
};

/* Get the next item of a comma list, without blanks around it. 0: no more. */
static int next_item(const char **list, struct item *item)
{
	const char *from = *list, *end;

	if (!from)
		return 0;
	end = from + strcspn(from, ",");
	*list = *end ? end + 1 : NULL;
	while (tr2_ascii_blank(*from))
		from++;
	while (end > from && tr2_ascii_blank(end[-1]))
		end--;
	item->text = from;
	item->len = (size_t)(end - from);
	return 1;
}

/*
 * Each value is listed once, even if several globs match.
 * SPEC: params.glob.once
 */
int tr2_params_match(const char *patterns, const char *key)
{
	struct item glob;

	while (next_item(&patterns, &glob))
		if (glob.len &&
		    tr2_glob_match(glob.text, glob.len, key, TR2_GLOB_FOLD))
			return 1;
	return 0;
}

struct listing {
	const char *patterns;
	tr2_param_fn *fn;
	void *data;
};

static void take_entry(const struct tr2_config_entry *entry, void *data)
{
	const struct listing *listing = data;

	if (tr2_params_match(listing->patterns, entry->key))
		listing->fn(tr2_config_scope_name(entry->scope), entry->key,
			    entry->value, listing->data);
}

void tr2_params_config(const char *patterns, tr2_param_fn *fn, void *data)
{
	struct listing listing = { patterns, fn, data };

	if (patterns && *patterns)
		tr2_gitconfig_read_all(take_entry, &listing);
}

/* SPEC: params.env, params.env.duplicate */
void tr2_params_env(const char *names, tr2_param_fn *fn, void *data)
{
	struct tr2_buf name = TR2_BUF_INIT;
	struct item item;
	const char *value;

	while (next_item(&names, &item)) {
		tr2_buf_reset(&name);
		tr2_buf_add(&name, item.text, item.len);
		tr2_buf_byte(&name, '\0');
		value = name.failed ? NULL : tr2_host->getenv(name.bytes);
		if (value && *value)
			/* SPEC: params.env.scope */
			fn(tr2_config_scope_name(TR2_SCOPE_COMMAND), name.bytes,
			   value, data);
	}
	tr2_buf_release(&name);
}
