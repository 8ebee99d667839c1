/*
 * The place of an output, on disk: also if somebody has changed its file.
 * position.txt has the cases.
 */
#include <errno.h>

#include "collect/journal/journal.h"
#include "kit/script_system.h"

#define FILE_NAME "name.position"
#define LINE_BYTES 103 /* of the numbers, and a name of 19 */

static int opened = -1;

/* `open NAME DIR`: what is there, or why it can't be opened; `held` stays. */
static const char *open_position(char **word)
{
	struct tr2_position position;

	if (opened >= 0)
		close(opened);
	opened = tr2_position_open(&position, *word[1] ? word[1] : ".",
				   *word[0] ? word[0] : "name");
	if (opened < 0)
		return script_say_error(errno);
	if (position.lost)
		return "lost";
	return position.at == UINT64_MAX
		       ? "new"
		       : script_say("%ju, line %ju, missed %ju, %ju of '%s'",
				    (uintmax_t)position.at,
				    (uintmax_t)position.line,
				    (uintmax_t)position.missed,
				    (uintmax_t)position.size, position.file);
}

/* `put AT LINE MISSED SIZE FILE` */
static const char *put_position(char **word)
{
	struct tr2_position position = { strtoull(word[0], NULL, 10),
					 strtoull(word[1], NULL, 10),
					 strtoull(word[2], NULL, 10),
					 strtoull(word[3], NULL, 10),
					 "",
					 9,
					 false };

	strcpy(position.file, word[4]);
	errno = EAGAIN; /* of long ago */
	return script_say_error(tr2_position_write(opened, &position));
}

static const char *close_position(SCRIPT_NONE)
{
	close(opened);
	opened = -1;
	return NULL;
}

static void flip_byte(int at)
{
	FILE *file = fopen(FILE_NAME, "r+");

	fseek(file, at, SEEK_SET);
	putc('7', file);
	fclose(file);
}

static void cut_file(int at)
{
	tap_need(!truncate(FILE_NAME, at));
}

/* A place is lost whichever byte of its line somebody has changed or cut. */
static const char *count_lost(char **word)
{
	void (*change)(int at) = *word[0] == 'f' ? flip_byte : cut_file;
	char *none[] = { (char[]){ "" }, (char[]){ "" } };
	char *place[] = { (char[]){ "5" }, (char[]){ "2" }, (char[]){ "3" },
			  (char[]){ "4" }, (char[]){ "20261128-000001.log" } };
	int at, lost = 0;

	for (at = 0; at < LINE_BYTES; at++) {
		open_position(none);
		put_position(place);
		change(at);
		lost += !strcmp(open_position(none), "lost");
		close_position(NULL);
		unlink(FILE_NAME);
	}
	return lost == LINE_BYTES ? "all" : script_say_number(lost);
}

/* clang-format off */
static const struct script_verb verbs[] = {
	{ "open", open_position }, { "put", put_position },
	{ "close", close_position }, { "lost", count_lost }, SCRIPT_SYSTEM,
	{ NULL, NULL },
};
/* clang-format on */

static void end_case(void)
{
	if (opened >= 0)
		close_position(NULL);
	script_restore_system();
	remove_all(FILE_NAME);
	remove_all("name.output");
}

int main(void)
{
	return script_main(__FILE__, verbs, NULL, end_case);
}
