#include "fxt/file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "trace/buffer.h"
#include "trace/engine.h"
#include "trace/engine/fxt.h"
#include "fxt/window.h"
#include "base/buf.h"
#include "host/generation.h"
#include "host/hold.h"
#include "host/host.h"
#include "host/memory.h"
#include "host/wait.h"
#include "descriptor/trace_file.h"

enum {
	PAGE = TRACE_BUFFER_PAGE,
	WORDS = PAGE / FXT_WORD, /* words of a page */
	STEP_PAGES = 256,
	CHUNK_PAGES = TRACE_BUFFER_CHUNK_MAX / PAGE,
	FIRST_PAGES = 2 * CHUNK_PAGES /* of a child */
};
#define STEP ((uint64_t)STEP_PAGES * PAGE)

/* Nothing, or a trace; whatever else is there is not ours to add to. */
static int is_ours(int fd, const struct stat *st)
{
	const off_t size = st->st_size;
	uint64_t magic;

	if (!S_ISREG(st->st_mode)) {
		errno = EINVAL;
		return 0;
	}
	if (!size)
		return 1;
	if (size % (off_t)FXT_WORD == 0 &&
	    pread(fd, &magic, sizeof(magic), 0) == sizeof(magic) &&
	    magic == FXT_MAGIC)
		return 1;
	errno = EEXIST;
	return 0;
}

static int put_bytes(int fd, const void *bytes, size_t size, off_t at)
{
	struct tr2_hold hold;
	ssize_t written;

	tr2_hold_begin(&hold);
	written = pwrite(fd, bytes, size, at);
	tr2_hold_end(&hold, written, size);
	if (written == (ssize_t)size)
		return 1;
	if (written >= 0)
		errno = ENOSPC;
	return 0;
}

/*
 * Write `used` words, and zeros up to `count` words of a page, which would be
 * too large for a small stack.
 */
static int put_words(int fd, const uint64_t *words, size_t used, size_t count,
		     off_t at)
{
	char *page = tr2_memory_realloc(NULL, PAGE);
	int is_put, error;

	if (!page) {
		errno = ENOMEM;
		return 0;
	}
	memset(page, 0, PAGE);
	memcpy(page, words, used * FXT_WORD);
	is_put = put_bytes(fd, page, count * FXT_WORD, at);
	error = errno;
	tr2_host->free(page);
	errno = error;
	return is_put;
}

/* Write dead space from `end` to the next page. */
static int fill_page(int fd, off_t end, off_t *start)
{
	const size_t rest = WORDS - (size_t)(end % PAGE) / FXT_WORD;
	const uint64_t word = fxt_filler(rest);

	*start = end;
	if (rest == WORDS)
		return 1;
	*start += (off_t)(rest * FXT_WORD);
	return put_words(fd, &word, 1, rest, end);
}

/* SPEC: fxt.target.provider */
static int put_head(struct tr2_fxt_file *file, pid_t pid)
{
	uint64_t words[16] = { FXT_MAGIC }, *at = words + 1;
	char name[40];
	struct tr2_buf text = TR2_BUF_FIXED(name);

	tr2_buf_str(&text, "trace2 ");
	tr2_buf_int(&text, pid);
	*at++ = fxt_provider_info_header((uint32_t)pid, text.len);
	at = fxt_put_bytes(at, name, text.len);
	*at++ = fxt_initialization_header();
	*at++ = TRACE_TICKS_PER_SECOND;
	*at = fxt_filler(WORDS - (size_t)(at - words));
	at++;
	memcpy(file->head, words, sizeof(file->head));
	return put_words(file->fd, words, (size_t)(at - words), WORDS,
			 file->start);
}

static void cut_file(int fd, off_t end)
{
	int error = errno;

	(void)!ftruncate(fd, end); /* if it fails, the file stays longer */
	errno = error;
}

static int has_our_head(const struct tr2_fxt_file *file)
{
	uint64_t head[sizeof(file->head) / sizeof(file->head[0])];

	return pread(file->fd, head, sizeof(head), file->start) ==
		       (ssize_t)sizeof(head) &&
	       !memcmp(head, file->head, sizeof(head));
}

static off_t end_of(const struct tr2_fxt_file *file)
{
	return file->start + PAGE +
	       (off_t)__atomic_load_n(&file->have, __ATOMIC_RELAXED);
}

/* Another thread may append after fstat(2), so the end is asked for first. */
enum tr2_fxt_state tr2_fxt_file_state(const struct tr2_fxt_file *file)
{
	enum tr2_fxt_state state = TR2_FXT_WHOLE;
	const off_t end = end_of(file);
	int error = errno;
	struct stat st = { 0 };

	fstat(file->fd, &st);
	if (!tr2_descriptor_is_ours(&file->known))
		state = TR2_FXT_CLOSED;
	else if ((!st.st_nlink && file->is_named) || st.st_size < end ||
		 !has_our_head(file))
		state = TR2_FXT_GONE;
	errno = error;
	return state;
}

void tr2_fxt_file_trim(const struct tr2_fxt_file *file, uint64_t used)
{
	if (tr2_fxt_file_state(file) == TR2_FXT_WHOLE)
		cut_file(file->fd, file->start + PAGE + (off_t)used);
}

static const uint64_t filler[WORDS] = {
	/* fxt_filler(WORDS), which is not a constant expression in C */
	(uint64_t)FXT_BLOB | (uint64_t)WORDS << 4 |
	(uint64_t)((WORDS - 1) * FXT_WORD) << 32 |
	(uint64_t)FXT_BLOB_FILLER << 48
};

/* A step, which would be too large for a small stack. Constant once set up. */
static struct iovec fillers[STEP_PAGES];

static void set_up_fillers(void)
{
	if (fillers[0].iov_len)
		return;
	for (int i = STEP_PAGES - 1; i >= 0; i--) {
		fillers[i].iov_base = (void *)(uintptr_t)filler;
		fillers[i].iov_len = PAGE;
	}
}

/* Append so many pages of fillers, or as many as there is room for. */
static ssize_t append_fillers(int fd, int count)
{
	const size_t size = (size_t)count * PAGE;
	struct tr2_hold hold;
	ssize_t written;

	tr2_hold_begin(&hold);
	written = writev(fd, fillers, count);
	tr2_hold_end(&hold, written, size);
	if (written >= 0 && written < (ssize_t)size)
		errno = ENOSPC;
	return written;
}

static uint64_t space_of(const struct tr2_fxt_file *file)
{
	struct stat st = { 0 };

	fstat(file->fd, &st);
	if (st.st_size < file->start + PAGE)
		return 0;
	return (uint64_t)(st.st_size - file->start - PAGE);
}

static uint64_t whole_chunks(const struct tr2_fxt_file *file, uint64_t bytes)
{
	return bytes - bytes % file->chunk;
}

/* Remove a filler that was written only in part. */
static void drop_part_of_page(const struct tr2_fxt_file *file)
{
	const uint64_t have = space_of(file), rest = have % PAGE;

	if (rest)
		tr2_fxt_file_trim(file, have - rest);
}

/* The disk is full: stop growing, and report it later. */
static void stop_growing(struct tr2_fxt_file *file, int error)
{
	__atomic_store_n(&file->max, whole_chunks(file, space_of(file)),
			 __ATOMIC_RELAXED);
	__atomic_store_n(&file->error, error, __ATOMIC_RELAXED);
}

/*
 * Many children trace a little and end by _exit(2), which leaves a file as
 * long as it is. So theirs begins small, and doubles until a step is reached.
 */
static int step_pages(const struct tr2_fxt_file *file)
{
	const uint64_t have = __atomic_load_n(&file->have, __ATOMIC_RELAXED);

	if (!file->is_child || have >= STEP)
		return STEP_PAGES;
	return have < 2 * TRACE_BUFFER_CHUNK_MAX ? FIRST_PAGES
						 : (int)(have / PAGE);
}

/*
 * If a whole step does not fit, a part of it may: a file system that reserves
 * room beforehand refuses the whole step.
 */
static void append_what_fits(struct tr2_fxt_file *file)
{
	int pages, error = 0;

	for (pages = step_pages(file); pages; pages /= 2) {
		if (append_fillers(file->fd, pages) == (ssize_t)pages * PAGE)
			break;
		error = errno;
		drop_part_of_page(file);
	}
	if (pages < CHUNK_PAGES)
		stop_growing(file, error);
}

void tr2_fxt_file_give_up(struct tr2_fxt_file *file)
{
	__atomic_store_n(&file->max, 0, __ATOMIC_RELAXED);
}

/*
 * If a thread keeps its turn for long, others append at the same time, so
 * there may be more space than was needed. What another thread has appended
 * already is enough for this one, too.
 */
static uint64_t append_chunks(struct tr2_fxt_file *file)
{
	const uint64_t max = __atomic_load_n(&file->max, __ATOMIC_RELAXED);
	const uint64_t have = __atomic_load_n(&file->have, __ATOMIC_RELAXED);
	const uint64_t space = space_of(file);

	if (space < max && whole_chunks(file, space) <= have)
		append_what_fits(file);
	return max ? whole_chunks(file, space_of(file)) : 0;
}

/* The host has closed the file: it keeps its size. */
static uint64_t keep_what_is_there(struct tr2_fxt_file *file)
{
	const uint64_t have = __atomic_load_n(&file->have, __ATOMIC_RELAXED);

	__atomic_store_n(&file->max, have, __ATOMIC_RELAXED);
	__atomic_store_n(&file->error, EBADF, __ATOMIC_RELAXED);
	return have;
}

/*
 * All bytes up to it can be written. It never becomes less: another thread may
 * have appended more meanwhile.
 */
static void raise_have(struct tr2_fxt_file *file, uint64_t have)
{
	uint64_t old = __atomic_load_n(&file->have, __ATOMIC_RELAXED);

	while (old < have &&
	       !__atomic_compare_exchange_n(&file->have, &old, have, 0,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

static uint64_t append_and_open(struct tr2_fxt_file *file)
{
	const uint64_t have = tr2_fxt_window_map_all(file, append_chunks(file));

	if (!have || !tr2_fxt_window_open_all(file, have)) {
		tr2_fxt_file_give_up(file);
		return 0;
	}
	raise_have(file, have);
	return have;
}

static uint64_t find_or_grow(struct tr2_fxt_file *file, uint64_t have)
{
	const uint64_t now = __atomic_load_n(&file->have, __ATOMIC_ACQUIRE);
	enum tr2_fxt_state state;

	if (now > have)
		return now;
	state = tr2_fxt_file_state(file);
	if (state == TR2_FXT_WHOLE)
		return append_and_open(file);
	if (tr2_generation_is_guest())
		return now;
	if (state == TR2_FXT_CLOSED)
		return keep_what_is_there(file);
	tr2_fxt_file_give_up(file);
	return 0;
}

/*
 * Many threads need space at the same moment, and one step is enough for all.
 * The turn may be that of a thread which a signal handler has stopped. 0:
 * another thread has made enough space.
 */
static int take_turn(struct tr2_fxt_file *file, uint64_t have)
{
	unsigned tries = 0;

	while (__atomic_exchange_n(&file->growing, 1, __ATOMIC_ACQUIRE)) {
		if (__atomic_load_n(&file->have, __ATOMIC_ACQUIRE) > have)
			return 0;
		if (!tr2_wait_turn(tries++))
			return 1;
	}
	return 1;
}

size_t tr2_fxt_file_grow(struct tr2_fxt_file *file, uint64_t have)
{
	const int error = errno;
	const int has_turn = take_turn(file, have);
	const uint64_t now = find_or_grow(file, have);

	if (has_turn)
		__atomic_store_n(&file->growing, 0, __ATOMIC_RELEASE);
	errno = error;
	return (size_t)now;
}

/* A file that has no room for a large chunk may have it for smaller ones. */
static int append_first(struct tr2_fxt_file *file)
{
	file->chunk = TRACE_BUFFER_CHUNK_MAX;
	file->have = append_chunks(file);
	if (file->have)
		return 1;
	file->chunk = PAGE;
	file->have = file->max = whole_chunks(file, space_of(file));
	errno = file->error ? file->error : ENOSPC;
	return file->have != 0;
}

static int begin_behind(struct tr2_fxt_file *file, off_t end, pid_t pid)
{
	return fill_page(file->fd, end, &file->start) && put_head(file, pid) &&
	       append_first(file);
}

static int begin_without_room(struct tr2_fxt_file *file)
{
	if (errno != EFBIG && errno != ENOSPC && errno != EDQUOT)
		return 0;
	file->error = errno;
	file->is_full = 1;
	file->have = file->max = file->limit = file->chunk = PAGE;
	return 1;
}

/* A process with few addresses has one window, which is small. */
static uint64_t limit_to_host(uint64_t max)
{
	uint64_t first = max < TR2_FXT_WINDOW ? max : TR2_FXT_WINDOW;

	if (tr2_host_has_room((size_t)first))
		return max < STEP ? STEP : max / STEP * STEP;
	while (first > STEP && !tr2_host_has_room((size_t)first))
		first /= 2;
	return first < STEP ? STEP : first / STEP * STEP;
}

int tr2_fxt_file_begin(struct tr2_fxt_file *file, int fd, pid_t pid,
		       uint64_t max, int is_child)
{
	struct stat st;

	*file = (struct tr2_fxt_file){ .fd = fd, .is_child = is_child };
	set_up_fillers();
	tr2_descriptor_know(&file->known, fd);
	file->max = file->limit = limit_to_host(max);
	if (tr2_trace_file_lock(fd) || fstat(fd, &st) || !is_ours(fd, &st) ||
	    !tr2_fxt_window_is_possible(fd))
		return 0;
	file->is_named = st.st_nlink > 0;
	if (begin_behind(file, st.st_size, pid)) {
		if (tr2_fxt_window_begin(file))
			return 1;
		cut_file(fd, st.st_size);
		return 0;
	}
	cut_file(fd, st.st_size);
	return begin_without_room(file) && tr2_fxt_window_begin(file);
}

void tr2_fxt_file_close(struct tr2_fxt_file *file)
{
	if (file->fd >= 0)
		tr2_descriptor_close(&file->known);
	file->fd = -1;
}

void tr2_fxt_file_forget(struct tr2_fxt_file *file)
{
	tr2_fxt_file_close(file);
	tr2_fxt_window_unmap_all(file);
	*file = (struct tr2_fxt_file){ .fd = -1, .known = TR2_DESCRIPTOR_NONE };
}
