#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "collect/options.h"
#include "lib/common/memory.h"
#include "lib/text/foreign.h"

#define CONFIG_MOST ((size_t)1 << 20)
#define BLANKS " \t\r"

static int refuse_file(const char *file, const char *why)
{
	tr2_foreign_complain("collect", why, file);
	return COLLECT_USAGE;
}

/* 0, or an errno value. */
static int read_file(struct tr2_buf *text, int fd)
{
	ssize_t got;

	do {
		if (tr2_buf_grow(text, 4096))
			tr2_memory_out();
		got = read(fd, text->bytes + text->len, 4096);
		if (got < 0)
			return errno;
		text->len += (size_t)got;
		if (text->len > CONFIG_MOST)
			return EFBIG;
	} while (got);
	tr2_must_end(text);
	return 0;
}

/* The line is cut into its name and its value. */
static int take_line(struct tr2_collect_options *options, char *line)
{
	char *value, *end;

	line += strspn(line, BLANKS);
	end = line + strlen(line);
	while (end > line && strchr(BLANKS, end[-1]))
		*--end = '\0';
	if (!*line || *line == '#')
		return 0;
	value = line + strcspn(line, BLANKS);
	if (*value)
		*value++ = '\0';
	return tr2_collect_set(options, line, value + strspn(value, BLANKS));
}

static int take_lines(struct tr2_collect_options *options)
{
	char *line = options->text.bytes, *end;
	int code = 0;

	for (; line && !code; line = end) {
		end = strchr(line, '\n');
		if (end)
			*end++ = '\0';
		options->line++;
		code = take_line(options, line);
	}
	return code;
}

int tr2_collect_read_config(struct tr2_collect_options *options,
			    const char *file)
{
	int fd, error, code;

	if (options->text.len)
		return refuse_file(file, "there can be one file only");
	fd = open(file, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return refuse_file(file, strerror(errno));
	error = read_file(&options->text, fd);
	close(fd);
	if (error)
		return refuse_file(file, strerror(error));
	if (strlen(options->text.bytes) + 1 < options->text.len)
		return refuse_file(file, "expected text, without a NUL byte");
	options->file = file;
	code = take_lines(options);
	options->file = NULL;
	return code;
}
