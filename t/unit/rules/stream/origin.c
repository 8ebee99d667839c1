/* Where a SID occurred first: the line and the log of its first event. */
#include "rules/stream/stream_kit.h"

#include "read/glance.h"

#define SECOND "stream.version.once: a second version under this SID"

static const struct story_row origins[] = {
	{ "a SID occurs first in a line of this log",
	  "error\nstart\nexit\natexit\nversion\n",
	  "1 \"error\" stream.version.first: the process does not begin with "
	  "version\n"
	  "5 \"version\" " SECOND ", which occurs first in line 1\n" },
	{ "or of another one", "error sid=a\n" BEGIN "---\nversion\n",
	  "1 \"error\" stream.version.first: the process does not begin with "
	  "version\n"
	  "1 \"version\" " SECOND ", which occurs first in line 2 of log\n" },
	{ "that is the first one, even for a third process",
	  BEGIN
	  "exit\natexit\n---\nversion\nstart\nexit\natexit\n---\nversion\n",
	  "1 \"version\" " SECOND ", which occurs first in line 1 of log\n"
	  "1 \"version\" " SECOND ", which occurs first in line 1 of log\n" },
};

/* Returns what a second version is told to be first in, in such a log. */
static const char *find_shown_name(const char *name)
{
	begin_story();
	begin_story_log(name);
	go_on_story(BEGIN "---\nversion\n");
	return strstr(end_story(), " of ") + 4;
}

static void test_names(void)
{
	char name[128], want[130];

	memset(name, 'a', sizeof(name));
	strcpy(name + 80, "");
	snprintf(want, sizeof(want), "%s\n", name);
	tap_str(find_shown_name(name), want, "80 bytes of a name are shown");
	strcpy(name + 80, "b");
	tap_str(find_shown_name(name), want, "of a longer name the first 80");
	strcpy(name + 78, "\xc3\xa9");
	snprintf(want, sizeof(want), "%s\n", name);
	strcpy(name + 80, "b");
	tap_str(find_shown_name(name), want,
		"a character that ends there is shown");
	strcpy(name + 79, "\xc3\xa9z");
	snprintf(want, sizeof(want), "%.79s\n", name);
	tap_str(find_shown_name(name), want,
		"a character that does not end there is not");
	strcpy(name + 77, "\xf0\x9f\x98\x80");
	strcpy(name + 81, "z");
	snprintf(want, sizeof(want), "%.77s\n", name);
	tap_str(find_shown_name(name), want, "nor one of four bytes");
	memset(name, '\x80', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	tap_str(find_shown_name(name), "\n",
		"a name of nothing else is not read before its beginning");
}

static void version_of(const char *sid)
{
	char row[64];

	snprintf(row, sizeof(row), "version sid=%s\n", sid);
	go_on_story(row);
}

static struct tr2_hash hash_sid(const char *sid)
{
	return tr2_sids_hash(sid, strlen(sid));
}

/* Make a SID with the same place as the other one, or the next place. */
static void make_sid(char *sid, size_t size, const char *other, int next,
		     const char *path)
{
	uint64_t place = hash_sid(other).a % TR2_ORIGINS;
	int number = 0;

	do
		snprintf(sid, size, "%s%d", path, number++);
	while (hash_sid(sid).a % TR2_ORIGINS !=
	       (place + (uint64_t)next) % TR2_ORIGINS);
}

static void test_places(void)
{
	char same[32], beside[32];

	make_sid(same, sizeof(same), "a", 0, "a/");
	make_sid(beside, sizeof(beside), "a", 1, "a/");
	begin_story();
	version_of("a");
	version_of(beside);
	version_of("a");
	tap_str(story.said,
		"3 \"version\" " SECOND ", which occurs first in line 1\n",
		"SIDs of other places are kept beside it");
	version_of(same);
	version_of("a");
	tap_str(strchr(story.said, '\n') + 1, "5 \"version\" " SECOND "\n",
		"a later SID takes the place of an earlier one");
	end_story();
}

static char first_place[32]; /* a SID of the first place */

static void find_first_place(void)
{
	int number = 0;

	do
		sprintf(first_place, "s%d", number++);
	while (hash_sid(first_place).a % TR2_ORIGINS);
}

int main(void)
{
	check_stories(origins);
	test_names();
	test_places();
	find_first_place();
	return tap_done();
}
