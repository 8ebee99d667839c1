/*
 * What would come back for ever, or twice: an output that the service itself
 * reads, and a directory that has two names.
 */
#include <string.h>
#include <sys/stat.h>

#include "collect/options.h"
#include "lib/text/text.h"

#define FILES "files:"
#define STREAM "af_unix:stream:"

static bool is_same_place(const char *one, const char *other)
{
	struct stat st, there;

	return !strcmp(one, other) ||
	       (!stat(one, &st) && !stat(other, &there) &&
		st.st_dev == there.st_dev && st.st_ino == there.st_ino);
}

static bool watches_place(const struct tr2_collect_options *options,
			  uint32_t count, const char *path)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		if (is_same_place(options->watches[i].path, path))
			return true;
	return false;
}

static bool listens_at(const struct tr2_collect_options *options,
		       const char *path)
{
	uint32_t i;

	for (i = 0; i < options->socket_count; i++)
		if (is_same_place(options->sockets[i].address.sun_path, path))
			return true;
	return false;
}

/* Does what is written there come in again? */
static bool comes_back(const struct tr2_collect_options *options,
		       const char *target)
{
	const size_t len = strlen(target);

	if (tr2_text_starts(target, len, FILES))
		return watches_place(options, options->watch_count,
				     target + strlen(FILES));
	return tr2_text_starts(target, len, STREAM) &&
	       listens_at(options, target + strlen(STREAM));
}

const char *tr2_collect_find_loop(const struct tr2_collect_options *options,
				  const char **place)
{
	uint32_t i;

	for (i = 0; i < options->output_count; i++) {
		*place = options->outputs[i].target;
		if (comes_back(options, *place))
			return "the service reads what this output writes, so "
			       "events would come for ever";
	}
	for (i = 0; i < options->watch_count; i++) {
		*place = options->watches[i].path;
		if (watches_place(options, i, *place))
			return "this directory is named twice";
		if (is_same_place(*place, options->spool))
			return "this directory is the spool";
	}
	return NULL;
}
