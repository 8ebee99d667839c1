#include "config/params.h"

#include <string.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "gitconfig/gitconfig.h"
#include "gitconfig/glob.h"
#include "host/host.h"
#include "base/list.h"

/* Get the next word of a comma list, without blanks around it. 0: no more. */
static int take_word(const char **list, struct tr2_list_word *word)
{
	const char *end;

	if (!*list || !tr2_list_take(list, word))
		return 0;
	end = word->text + word->len;
	while (word->text < end && tr2_ascii_blank(*word->text))
		word->text++;
	while (end > word->text && tr2_ascii_blank(end[-1]))
		end--;
	word->len = (size_t)(end - word->text);
	return 1;
}

/*
 * Each value is listed once, even if several globs match.
 * SPEC: params.glob.once
 */
int tr2_params_match(const char *patterns, const char *key)
{
	struct tr2_list_word glob;

	while (take_word(&patterns, &glob))
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
	struct tr2_list_word item;
	const char *value;

	while (take_word(&names, &item)) {
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
