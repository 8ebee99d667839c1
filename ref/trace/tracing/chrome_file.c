#include "trace/tracing/chrome_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/tracing/chrome_name.h"
#include "trace/engine.h"
#include "descriptor/trace_file.h"
#include "host/generation.h"
#include "host/hold.h"
#include "host/host.h"
#include "host/system.h"
#include "host/wait.h"

/* About the size of one write. */
#define WRITE_BYTES ((size_t)1 << 18)

/* The beginning of a file. If it is missing, nothing after it can be read. */
#define FIRST_BYTES ((size_t)512)

static struct tr2_chrome_file *file_of(struct tr2_agent_client *client)
{
	return (struct tr2_chrome_file *)(void *)client;
}

/* Warns only once, because after a failure there is no file any more. */
static void warn_why(const struct tr2_chrome_file *file, const char *what,
		     const char *path, const char *why)
{
	if (file->variable)
		tr2_host_warn("trace2: could not %s '" TR2_HOST_WARN_PATH
			      "' for '%s' tracing: %s",
			      what, path, file->variable, why);
}

static void warn_errno(const struct tr2_chrome_file *file, const char *what,
		       const char *path)
{
	warn_why(file, what, path, strerror(errno));
}

/*
 * The file
 */

/* Is the file empty, or a file of ours? Any other file must not be emptied. */
static int is_ours(int fd, off_t size)
{
	char begin[2];

	if (!size || (pread(fd, begin, sizeof(begin), 0) == sizeof(begin) &&
		      !memcmp(begin, "[\n", sizeof(begin))))
		return 1;
	errno = EEXIST;
	return 0;
}

/* SPEC: chrome.foreign */
static int empty_file(int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return -1;
	if (!S_ISREG(st.st_mode))
		return 0;
	if (tr2_trace_file_lock(fd) || !is_ours(fd, st.st_size))
		return -1;
	return ftruncate(fd, 0);
}

/* Other users may know a name that the library makes. SPEC: chrome.link */
static int open_path(const char *path, const char *pattern, int flags)
{
	const int is_made = strcmp(path, pattern) != 0;
	struct tr2_descriptor known;
	int fd = tr2_descriptor_lift(tr2_trace_file_open(path, flags, is_made));
	int error;

	if (fd < 0 || !empty_file(fd))
		return fd;
	error = errno;
	tr2_descriptor_know(&known, fd);
	tr2_descriptor_close(&known);
	errno = error;
	return -1;
}

/* The path is memory, because a small stack has no room for it. */
static int open_named(const struct tr2_chrome_file *file, int flags)
{
	char *path = tr2_chrome_name(file);
	int fd = path ? open_path(path, file->pattern, flags) : -1;
	int error = errno;

	tr2_host->free(path);
	errno = error;
	return fd;
}

/* Leave alone what another process, or copy, writes. SPEC: chrome.nested */
static int open_file(struct tr2_chrome_file *file)
{
	int fd;

	while ((fd = open_named(file, 0)) < 0 && errno == EAGAIN &&
	       (!file->nested || file->apart) &&
	       file->rotation <= TR2_CHROME_MANY) {
		file->rotation -= !file->nested; /* first the pid alone */
		file->nested = true;
		tr2_chrome_name_next(file);
	}
	if (fd < 0)
		warn_errno(file, "open", file->pattern);
	return fd;
}

static void close_file(struct tr2_chrome_file *file)
{
	if (file->fd >= 0)
		tr2_descriptor_close(&file->known);
	file->fd = -1;
}

/* From now on we know the file's size. */
static void take_file(struct tr2_chrome_file *file, int fd)
{
	struct stat st = { 0 };

	file->fd = fd;
	file->size = -1;
	tr2_descriptor_know(&file->known, fd);
	if (fd >= 0)
		fstat(fd, &st);
	if (S_ISREG(st.st_mode))
		file->size = st.st_size;
	file->is_named = st.st_nlink > 0;
}

/*
 * Did no other process cut, overwrite or remove the file, and did the host
 * not close it?
 */
static int is_as_we_left_it(const struct tr2_chrome_file *file)
{
	struct stat st = { 0 };

	if (!tr2_descriptor_is_ours(&file->known))
		return 0;
	if (file->size < 0)
		return 1;
	fstat(file->fd, &st);
	return (st.st_nlink || !file->is_named) && st.st_size == file->size;
}

/*
 * Text
 */

static void count_lost(struct tr2_chrome_file *file, uint64_t events)
{
	__atomic_fetch_add(&file->lost, events, __ATOMIC_RELAXED);
}

/* poll(2) finds a file always ready, even if its system refuses a write. */
static int wait_for(struct tr2_chrome_file *file)
{
	return file->size < 0 ? tr2_wait_writable(&file->waited_ns, file->fd)
			      : tr2_wait_moment(&file->waited_ns);
}

/* Write as much as possible. Returns the number of bytes. */
static size_t put_all(struct tr2_chrome_file *file, const char *bytes,
		      size_t len)
{
	size_t done = 0;
	ssize_t now;

	while (done < len) {
		now = tr2_hold_write(file->fd, bytes + done, len - done);
		if (now > 0)
			done += (size_t)now;
		else if (!now || errno != EAGAIN || !wait_for(file))
			break;
	}
	return done;
}

/*
 * Remove a line that was written only in part.
 * SPEC: chrome.failure, chrome.failure.line
 */
static void give_up(struct tr2_chrome_file *file, size_t done)
{
	const char *at = file->text.bytes + done;
	const char *end = file->text.bytes + file->text.len;
	off_t over = 0;

	warn_errno(file, "write", file->pattern);
	while (over < (off_t)done && at[-1 - over] != '\n')
		over++;
	if (over) /* if this fails, the file stays longer */
		(void)!ftruncate(file->fd, lseek(file->fd, 0, SEEK_CUR) - over);
	while (at < end)
		count_lost(file, *at++ == '\n');
	close_file(file);
}

/*
 * Drop everything in the file, and everything that waits.
 * SPEC: chrome.failure.cut
 */
static void let_go(struct tr2_chrome_file *file)
{
	warn_why(file, "write", file->pattern,
		 "another program has cut, replaced or removed the file");
	count_lost(file, file->written);
	close_file(file);
}

/* Write the whole lines of the buffer. */
static void write_out(struct tr2_chrome_file *file)
{
	struct tr2_buf *text = &file->text;
	size_t done;

	if (is_as_we_left_it(file)) {
		done = put_all(file, text->bytes, text->len);
		if (file->size >= 0)
			file->size += (off_t)done;
		if (done < text->len)
			give_up(file, done);
	} else {
		let_go(file);
	}
	tr2_buf_reset(text);
}

/* A line for which memory failed must not damage the others. */
static void keep_line(struct tr2_chrome_file *file, size_t before)
{
	struct tr2_buf *text = &file->text;

	if (text->failed) {
		text->len = before;
		text->failed = 0;
		count_lost(file, 1);
	}
	if (text->len >= WRITE_BYTES)
		write_out(file);
}

/*
 * Metadata
 */

static void put_name(struct tr2_agent_client *client,
		     const struct trace_reader_record *record, int place)
{
	struct tr2_chrome_file *file = file_of(client);
	size_t before = file->text.len;

	if (file->fd < 0)
		return;
	tr2_chrome_put_name(&file->chrome, record, place);
	keep_line(file, before);
}

static void begin_text(struct tr2_chrome_file *file)
{
	size_t before;

	file->written = file->dropped = 0;
	tr2_chrome_begin(&file->chrome, &file->text);
	before = file->text.len;
	if (file->apart) /* the first line tells whose file it is */
		tr2_chrome_put_start(&file->chrome);
	tr2_chrome_put_writer(&file->chrome);
	keep_line(file, before);
}

static void put_dropped(struct tr2_chrome_file *file, uint64_t dropped)
{
	size_t before = file->text.len;

	file->dropped = dropped;
	tr2_chrome_put_dropped(&file->chrome, dropped);
	keep_line(file, before);
}

/*
 * The client
 */

static void end_text(struct tr2_chrome_file *file)
{
	tr2_chrome_end(&file->chrome);
	write_out(file);
	close_file(file);
}

/*
 * Several copies of the library in a process may have seen at once that nobody
 * has the name, and with POSIX alone a lock does not keep them apart. A file that is
 * late replaces no other file; any other one replaces none of this process.
 */
static int open_new(struct tr2_chrome_file *file)
{
	int fd = open_named(file, O_EXCL);

	while (fd < 0 && errno == EEXIST &&
	       (file->late ? file->rotation <= TR2_CHROME_MANY
			   : tr2_chrome_name_is_taken(file))) {
		file->rotation++;
		fd = open_named(file, O_EXCL);
	}
	if (fd < 0 && !file->late)
		return open_file(file);
	if (fd < 0)
		warn_errno(file, "open", file->pattern);
	return fd;
}

/* Open a file while the agent runs. Its head tells at once whose it is. */
static void open_next(struct tr2_chrome_file *file)
{
	take_file(file,
		  file->late || file->apart ? open_new(file) : open_file(file));
	file->late = false;
	if (file->fd < 0)
		return;
	begin_text(file);
	write_out(file);
	tr2_agent_tell_names(&file->client);
}

/* SPEC: chrome.rotation */
static void rotate_file(struct tr2_chrome_file *file)
{
	end_text(file);
	tr2_chrome_name_next(file);
	open_next(file);
}

static void put_event(struct tr2_agent_client *client,
		      const struct trace_reader_record *record)
{
	struct tr2_chrome_file *file = file_of(client);
	size_t before;

	if (file->late)
		open_next(file);
	else if (file->fd >= 0 && file->written == file->events)
		rotate_file(file);
	if (file->fd < 0) {
		count_lost(file, 1);
		return;
	}
	before = file->text.len;
	tr2_chrome_record(&file->chrome, record);
	file->written++;
	keep_line(file, before);
}

static void flush_file(struct tr2_agent_client *client, uint64_t dropped)
{
	struct tr2_chrome_file *file = file_of(client);

	if (file->fd < 0)
		return;
	if (dropped > file->dropped)
		put_dropped(file, dropped);
	write_out(file);
}

static int fail_begin(struct tr2_chrome_file *file, int error)
{
	errno = error;
	warn_errno(file, "trace into", file->pattern);
	close_file(file);
	return error;
}

int tr2_chrome_file_begin(struct tr2_chrome_file *file, int fd)
{
	int error;

	file->client.event = put_event;
	file->client.name = put_name;
	file->client.flush = flush_file;
	if (!file->events)
		file->events = TR2_CHROME_EVENTS;
	if (file->late)
		file->rotation++; /* the file is to be new anyway */
	else
		tr2_chrome_name_next(file);
	file->home = tr2_generation();
	take_file(file, fd);
	tr2_buf_reset(&file->text);
	if (tr2_buf_grow(&file->text, FIRST_BYTES))
		return fail_begin(file, ENOMEM);
	if (file->late) {
		error = tr2_agent_add(&file->client);
		return error ? fail_begin(file, error) : 0;
	}
	if (fd < 0)
		take_file(file, open_file(file));
	if (file->fd < 0)
		return errno;
	begin_text(file);
	write_out(file);
	error = tr2_agent_add(&file->client);
	if (!error)
		return 0;
	tr2_chrome_end(&file->chrome);
	write_out(file);
	return fail_begin(file, error);
}

void tr2_chrome_file_end(struct tr2_chrome_file *file)
{
	if (file->home != tr2_generation()) {
		tr2_chrome_file_forget(file);
		return;
	}
	tr2_agent_remove(&file->client);
	if (file->fd >= 0)
		end_text(file);
	tr2_buf_release(&file->text);
}

void tr2_chrome_file_forget(struct tr2_chrome_file *file)
{
	close_file(file);
	file->text = (struct tr2_buf)TR2_BUF_INIT;
}
