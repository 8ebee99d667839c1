/*
 * `${pid}` and `${rotation}` are replaced by numbers; anything similar stays
 * as it is.
 * SPEC: chrome.pattern
 */
#include "trace/tracing/chrome_name.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/tracing/chrome_file.h"
#include "host/host.h"
#include "host/system.h"

static const char pid_word[] = "${pid}";
static const char rotation_word[] = "${rotation}";

/* Returns where the extension begins; the end if there is none. */
static const char *find_extension(const char *pattern)
{
	const char *slash = strrchr(pattern, '/');
	const char *name = slash ? slash + 1 : pattern;
	const char *dot = strrchr(name, '.');

	return dot && dot > name ? dot : pattern + strlen(pattern);
}

/* Add the numbers that make files differ and that the pattern lacks. */
static void put_more(struct tr2_buf *out, const struct tr2_chrome_file *file)
{
	if (file->nested && !strstr(file->pattern, pid_word)) {
		tr2_buf_byte(out, '-');
		tr2_buf_int(out, tr2_host->getpid());
	}
	if (file->rotation > 1 && !strstr(file->pattern, rotation_word)) {
		tr2_buf_byte(out, '.');
		tr2_buf_uint(out, file->rotation);
	}
}

/* Returns the length of the word in the pattern, or 0: not such a word. */
static size_t put_word(struct tr2_buf *out, const char *at,
		       const struct tr2_chrome_file *file)
{
	if (!strncmp(at, pid_word, sizeof(pid_word) - 1)) {
		tr2_buf_int(out, tr2_host->getpid());
		return sizeof(pid_word) - 1;
	}
	if (!strncmp(at, rotation_word, sizeof(rotation_word) - 1)) {
		tr2_buf_uint(out, file->rotation);
		return sizeof(rotation_word) - 1;
	}
	return 0;
}

char *tr2_chrome_name(const struct tr2_chrome_file *file)
{
	struct tr2_buf out = TR2_BUF_INIT;
	const char *at = file->pattern;
	const char *stem_end = find_extension(at);
	size_t word;

	for (; *at; at += word) {
		if (at == stem_end)
			put_more(&out, file);
		word = put_word(&out, at, file);
		if (!word) {
			tr2_buf_byte(&out, *at);
			word = 1;
		}
	}
	if (at == stem_end)
		put_more(&out, file);
	tr2_buf_byte(&out, '\0');
	if (!out.failed && out.len <= PATH_MAX)
		return out.bytes;
	errno = out.failed ? ENOMEM : ENAMETOOLONG;
	tr2_buf_release(&out);
	return NULL;
}

/* Who opened a pipe to look at it would be a reader that goes away. */
static int open_regular(const char *path)
{
	struct stat st;

	if (!path || stat(path, &st) || !S_ISREG(st.st_mode))
		return -1;
	return tr2_host->open(path, O_RDONLY | O_NONBLOCK, 0);
}

/*
 * Another process may have had our pid, as programs of containers do. Its file
 * tells when it began, or is older than we are.
 */
static bool is_ours(int fd, const char *begin)
{
	char pid[64], start[64];
	const int pid_len = snprintf(pid, sizeof(pid),
				     "[\n{\"ph\":\"M\",\"pid\":%ld,",
				     (long)tr2_host->getpid());
	const int start_len = snprintf(start, sizeof(start),
				       "\"tid\":%ld,\"name\":\"process_start\","
				       "\"args\":{\"ticks\":",
				       (long)tr2_host->getpid());
	const int64_t ticks = tr2_host_process_ticks();
	struct stat st;

	if (strncmp(begin, pid, (size_t)pid_len) != 0)
		return false;
	begin += pid_len;
	if (!strncmp(begin, start, (size_t)start_len))
		return !ticks || strtoll(begin + start_len, NULL, 10) == ticks;
	return fstat(fd, &st) || st.st_mtime + 1 >= tr2_host_process_began();
}

/* Has this process begun the file of this name, or is it `empty`? */
static bool is_written(const struct tr2_chrome_file *file, bool empty)
{
	char begin[192] = "", *path = tr2_chrome_name(file);
	int fd = open_regular(path);
	ssize_t got;
	bool found;

	tr2_host->free(path);
	if (fd < 0)
		return false;
	got = pread(fd, begin, sizeof(begin) - 1, 0);
	found = got > 0 ? is_ours(fd, begin) : empty && !got;
	tr2_host->close(fd);
	return found;
}

bool tr2_chrome_name_is_taken(const struct tr2_chrome_file *file)
{
	return is_written(file, true);
}

void tr2_chrome_name_next(struct tr2_chrome_file *file)
{
	file->rotation++;
	while (file->apart && file->rotation <= TR2_CHROME_MANY &&
	       is_written(file, false))
		file->rotation++;
}
