/*
 * Lines on disk: what readers get, what a process leaves behind, and what a
 * full disk or a stranger does to it. journal.txt has the cases.
 */
#define _GNU_SOURCE /* syscall() */
#include "collect/journal/journal_kit.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "kit/script_system.h"
#include "lib/files/clock.h"
#include "lib/text/text.h"

#define SEGMENT TR2_JOURNAL_SEGMENT
#define READERS 4

static struct tr2_journal journal;
static bool is_open, ended;
static struct tr2_journal_reader readers[READERS];
static char *room;

/*
 * ---- Calls of the system that fail or return little
 */

#define FILES 64

static struct {
	size_t most_read; /* bytes; 0: as many as there are */
	int read_error;
	bool keeps_reserved; /* files do not become shorter */
	off_t space;	     /* for all files together, or 0: any */
	int files[FILES];    /* that got some, also if they were removed */
	size_t count;
} disk;

ssize_t pread(int fd, void *bytes, size_t len, off_t at)
{
	errno = disk.read_error ? disk.read_error : errno;
	if (disk.read_error || lseek(fd, at, SEEK_SET) < 0)
		return -1;
	return read(fd, bytes,
		    disk.most_read && disk.most_read < len ? disk.most_read
							   : len);
}

int ftruncate(int fd, off_t size)
{
	errno = EIO;
	return disk.keeps_reserved || size < 0
		       ? -1
		       : (int)syscall(SYS_ftruncate, fd, size);
}

static off_t find_used(void)
{
	struct stat st;
	off_t used = 0;

	for (size_t i = 0; i < disk.count; i++)
		used += fstat(disk.files[i], &st) ? 0 : st.st_size;
	return used;
}

int posix_fallocate(int fd, off_t at, off_t len)
{
	if (!disk.space)
		return syscall(SYS_fallocate, fd, 0, at, len) ? errno : 0;
	if (find_used() + len > disk.space)
		return ENOSPC;
	disk.files[disk.count++ % FILES] = dup(fd);
	return ftruncate(fd, at + len) ? errno : 0;
}

static const char *set_disk(char **word)
{
	const long value = script_number(word[1], 0);

	if (!strcmp(word[0], "reads"))
		disk.most_read = (size_t)value;
	else if (!strcmp(word[0], "fails"))
		disk.read_error = *word[1] ? EIO : 0;
	else if (!strcmp(word[0], "keeps"))
		disk.keeps_reserved = *word[1];
	else
		disk.space = value;
	return NULL;
}

/*
 * ---- Writing
 */

/* A number of bytes; S is a segment, and H a half: 3S, S+1, S-6. */
static size_t find_bytes(const char *word)
{
	char *end;
	long count = isdigit((unsigned char)*word) ? strtol(word, &end, 10) : 1;

	if (isdigit((unsigned char)*word))
		word = end;
	if (*word == 'S' || *word == 'H')
		count = count * (long)(*word == 'S' ? SEGMENT : SEGMENT / 2) +
			strtol(word + 1, NULL, 10);
	return (size_t)count;
}

static const char *open_journal(char **word)
{
	const char *why = tr2_journal_open(
		&journal, "spool", *word[0] ? find_bytes(word[0]) : LIMIT);

	is_open = !why;
	return why ? why : "";
}

static const char *close_journal(SCRIPT_NONE)
{
	if (is_open)
		tr2_journal_close(&journal);
	is_open = false;
	return NULL;
}

/* Open what there is, and close it. */
static const char *recover_journal(char **word)
{
	const char *why = open_journal(word);

	close_journal(NULL);
	return why;
}

/* Another service, in this directory. */
static const char *open_other(char **word)
{
	struct tr2_journal other;
	const char *why = tr2_journal_open(&other, word[0], LIMIT);

	if (!why)
		tr2_journal_close(&other);
	return why ? why : "opened";
}

/* A directory whose name has so many bytes. */
static const char *open_long(char **word)
{
	char name[TR2_SEGMENT_DIR + 2];

	memset(name, '/', sizeof(name));
	memcpy(name, "./spool", 7);
	name[script_number(word[0], 0)] = '\0';
	return open_other((char *[]){ name });
}

static const char *add_line(char **word)
{
	return script_say_yes(
		add_text(&journal, word[0],
			 tr2_text_count_lines(word[0], strlen(word[0]))));
}

static const char *add_long_line(char **word)
{
	return script_say_yes(add_long(&journal, find_bytes(word[0])));
}

static const char *make_room(char **word)
{
	room = tr2_journal_room(&journal, find_bytes(word[0]));
	return script_say_yes(room);
}

/* Into the room; are the first `len` bytes committed? They are not shown. */
static const char *fill_room(char **word)
{
	const size_t len = (size_t)script_number(word[1], 0);

	memcpy(room, word[0], strlen(word[0]));
	return script_say_yes(tr2_journal_commit(
		&journal, len, tr2_text_count_lines(word[0], len)));
}

static const char *show_all(SCRIPT_NONE)
{
	show_lines(&journal);
	return NULL;
}

/* Bytes far into the room, which somebody may have cut. Are they there? */
static const char *use_memory(SCRIPT_NONE)
{
	memcpy(room + 8192, "far", 4);
	return room + 8192;
}

static const char *tell_journal(SCRIPT_NONE)
{
	return script_say("%ju bytes, %ju lines", (uintmax_t)journal.end,
			  (uintmax_t)journal.lines);
}

static const char *is_cut(SCRIPT_NONE)
{
	return script_say_yes(tr2_journal_is_cut(&journal));
}

/* The first byte that there is, and that is needed, in segments if it can be. */
static const char *tell_marks(SCRIPT_NONE)
{
	const struct tr2_journal_marks marks = tr2_journal_find_marks(&journal);

	return script_say("first %ju, needed %ju", (uintmax_t)marks.first,
			  (uintmax_t)marks.needed);
}

static const char *is_mapped(SCRIPT_NONE)
{
	unsigned char resident;

	return script_say_yes(
		!mincore(room, (size_t)sysconf(_SC_PAGESIZE), &resident));
}

/*
 * ---- Reading
 */

static struct tr2_journal_reader *find_reader(const char *word)
{
	return &readers[script_number(word, 0) % READERS];
}

static const char *join_journal(char **word)
{
	tr2_journal_join(&journal, find_reader(word[0]),
			 *word[1] == '-' ? UINT64_MAX : find_bytes(word[1]),
			 find_bytes(word[2]));
	return NULL;
}

/* What one read gives; of much only the number of bytes. */
static const char *read_once(char **word)
{
	static char bytes[3 * SEGMENT];
	const size_t most = *word[1] ? find_bytes(word[1]) : 50;
	const size_t len = tr2_journal_read(find_reader(word[0]), bytes, most,
					    (int)script_number(word[2], 0),
					    &ended);

	if (len > 50)
		return script_say("%zu bytes%s", len,
				  bytes[len - 1] == '\n' ? ", LF" : "");
	bytes[len] = '\0';
	return bytes;
}

/* All that nine reads give. */
static const char *read_all(char **word)
{
	static char text[512];
	size_t sum = 0;
	const char *part;
	int i;

	for (*text = '\0', i = 0; i < 9; i++) {
		part = read_once(word);
		sum += strstr(part, "bytes") ? strtoul(part, NULL, 10) : 0;
		strcat(text, part);
	}
	return sum ? script_say("%zu bytes", sum) : text;
}

static const char *tell_reader(char **word)
{
	const struct tr2_journal_reader *reader = find_reader(word[0]);

	return script_say("at %ju, kept %ju, line %ju, ahead %ju, missed %ju",
			  (uintmax_t)reader->at, (uintmax_t)reader->kept,
			  (uintmax_t)reader->line, (uintmax_t)reader->ahead,
			  (uintmax_t)reader->missed);
}

static const char *tell_missed(char **word)
{
	return script_say_number((intmax_t)find_reader(word[0])->missed);
}

/* Up to this place, or to all that there is. */
static const char *keep_place(char **word)
{
	tr2_journal_keep(find_reader(word[0]),
			 *word[1] ? find_bytes(word[1]) : journal.end,
			 *word[1] ? find_bytes(word[2]) : journal.lines);
	return NULL;
}

static const char *rewind_reader(char **word)
{
	tr2_journal_rewind(find_reader(word[0]));
	return NULL;
}

/*
 * ---- The directory
 */

/* The path of a segment, or of another file there. */
static const char *find_path(const char *begin, const char *line)
{
	static char path[TR2_SEGMENT_PATH];

	if (*line)
		tr2_segment_name(path, "spool", strtoull(begin, NULL, 0),
				 strtoull(line, NULL, 0));
	else
		snprintf(path, sizeof(path), "%s", begin);
	return path;
}

static const char *write_segment(char **word)
{
	mkdir("spool", 0700);
	write_file(find_path(word[0], word[1]), word[2]);
	return NULL;
}

/* Of lines of `len` bytes, in all of `size` bytes. */
static const char *write_lines(char **word)
{
	const size_t size = find_bytes(word[0]), len = find_bytes(word[1]);
	char *text = malloc(size + 1);

	tap_need(text);
	for (size_t i = 0; i < size; i++)
		text[i] = (i + 1) % len ? 'x' : '\n';
	text[size] = '\0';
	write_segment((char *[]){ (char[]){ "0" }, (char[]){ "0" }, text });
	free(text);
	return NULL;
}

static const char *cut_segment(char **word)
{
	tap_need(!truncate(find_path(word[0], word[1]),
			   (off_t)find_bytes(word[2])));
	return NULL;
}

/* The segments, with their sizes. */
static const char *list_segments(SCRIPT_NONE)
{
	static char text[512];
	struct dirent **found;
	char path[300];
	struct stat st;
	size_t used = 0;
	int count = scandir("spool", &found, NULL, alphasort);

	*text = '\0';
	for (int i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "spool/%s", found[i]->d_name);
		if (strlen(found[i]->d_name) == 33 && !stat(path, &st))
			used += (size_t)snprintf(
				text + used, sizeof(text) - used,
				"%s%ju.%ju:%ju", used ? " " : "",
				(uintmax_t)strtoull(found[i]->d_name, NULL, 16),
				(uintmax_t)strtoull(found[i]->d_name + 17, NULL,
						    16),
				(uintmax_t)st.st_size);
		free(found[i]);
	}
	if (count >= 0)
		free(found);
	return text;
}

/* How many of them there are, and all their bytes. */
static const char *count_segments(SCRIPT_NONE)
{
	const char *at = list_segments(NULL);
	size_t count = 0, bytes = 0;

	for (; (at = strchr(at, ':')); count++)
		bytes += strtoul(++at, NULL, 10);
	return script_say("%zu of %zu bytes", count, bytes);
}

/*
 * ---- The process
 */

static const char *rest_while(char **word)
{
	tr2_clock_sleep((int)script_number(word[0], 0));
	return NULL;
}

/* clang-format off */
static const struct script_verb verbs[] = {
	{ "disk", set_disk }, { "open", open_journal },
	{ "close", close_journal }, { "recover", recover_journal },
	{ "other", open_other }, { "long-name", open_long },
	{ "line", add_line }, { "long", add_long_line }, { "room", make_room },
	{ "fill", fill_room }, { "show", show_all }, { "memory", use_memory },
	{ "journal", tell_journal }, { "cut?", is_cut },
	{ "marks", tell_marks }, { "mapped", is_mapped },
	{ "join", join_journal }, { "read", read_once }, { "all", read_all },
	{ "reader", tell_reader }, { "missed", tell_missed },
	{ "keep", keep_place }, { "rewind", rewind_reader },
	{ "segment", write_segment }, { "lines", write_lines },
	{ "cut", cut_segment }, { "segments", list_segments },
	{ "count", count_segments }, { "rest", rest_while },
	SCRIPT_SYSTEM, { NULL, NULL },
};
/* clang-format on */

static void begin_case(void)
{
	memset(&disk, 0, sizeof(disk));
}

static void end_case(void)
{
	close_journal(NULL);
	while (disk.count)
		close(disk.files[--disk.count]);
	script_restore_system();
	remove_all("spool");
}

int main(void)
{
	return script_main(__FILE__, verbs, begin_case, end_case);
}
