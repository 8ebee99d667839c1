#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "fxt/window.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fxt/file.h"
#include "host/host.h"
#include "trace/buffer.h"

enum { PAGE = TRACE_BUFFER_PAGE };

/* A mapping begins at a page of the system, which may be larger than ours. */
static size_t bytes_before(const struct tr2_fxt_file *file)
{
	return (size_t)((file->start + PAGE) % (off_t)sysconf(_SC_PAGESIZE));
}

static size_t window_bytes(const struct tr2_fxt_file *file, size_t which)
{
	const uint64_t rest = file->limit - which * TR2_FXT_WINDOW;

	return (size_t)(rest < TR2_FXT_WINDOW ? rest : TR2_FXT_WINDOW);
}

static char *find_window(const struct tr2_fxt_file *file, size_t which)
{
	return __atomic_load_n(&file->more[which - 1], __ATOMIC_ACQUIRE);
}

void *tr2_fxt_file_place(const struct tr2_fxt_file *file, uint64_t at)
{
	const size_t which = (size_t)(at / TR2_FXT_WINDOW);

	return (which ? find_window(file, which) : file->space) +
	       at % TR2_FXT_WINDOW;
}

void *tr2_fxt_file_window(const struct tr2_fxt_file *file, size_t which,
			  size_t *size)
{
	char *space = which < TR2_FXT_WINDOWS ? find_window(file, which) : NULL;

	if (!space)
		return NULL;
	*size = bytes_before(file) + window_bytes(file, which);
	return space - bytes_before(file);
}

/* Two threads may map a window at a time: one of the mappings remains. */
static int map_window(struct tr2_fxt_file *file, size_t which)
{
	const size_t before = bytes_before(file);
	const size_t size = before + window_bytes(file, which);
	char *none = NULL, *map;

	if (which >= TR2_FXT_WINDOWS) {
		errno = EFBIG;
		return 0;
	}
	if (find_window(file, which))
		return 1;
	errno = ENOMEM;
	if (!tr2_host_has_room(size))
		return 0;
	map = mmap(NULL, size, PROT_NONE, MAP_SHARED, file->fd,
		   file->start + PAGE - (off_t)before +
			   (off_t)(which * TR2_FXT_WINDOW));
	if (map == MAP_FAILED)
		return 0;
	if (!__atomic_compare_exchange_n(&file->more[which - 1], &none,
					 map + before, 0, __ATOMIC_ACQ_REL,
					 __ATOMIC_ACQUIRE))
		munmap(map, size);
	return 1;
}

/*
 * Returns how many of these bytes have addresses. Where there is no room for
 * more, the file does not grow any more.
 */
uint64_t tr2_fxt_window_map_all(struct tr2_fxt_file *file, uint64_t have)
{
	for (size_t which = 1; which * TR2_FXT_WINDOW < have; which++) {
		if (map_window(file, which))
			continue;
		__atomic_store_n(&file->error, errno, __ATOMIC_RELAXED);
		have = which * TR2_FXT_WINDOW;
		__atomic_store_n(&file->max, have, __ATOMIC_RELAXED);
	}
	return have;
}

/* How much of the first window, our first page too, such a file opens. */
static size_t first_bytes(const struct tr2_fxt_file *file, uint64_t have)
{
	const size_t size =
		(size_t)(file->space - (char *)file->map) + (size_t)have;

	/* More may have been appended than was asked for. */
	return size < file->size ? size : file->size;
}

static int open_window(const struct tr2_fxt_file *file, uint64_t have,
		       size_t which)
{
	const size_t whole = window_bytes(file, which);
	uint64_t bytes = have - which * TR2_FXT_WINDOW;

	if (!which)
		return !mprotect(file->map, first_bytes(file, have),
				 PROT_READ | PROT_WRITE);
	if (bytes > whole)
		bytes = whole;
	return !mprotect(find_window(file, which) - bytes_before(file),
			 bytes_before(file) + (size_t)bytes,
			 PROT_READ | PROT_WRITE);
}

/*
 * The part of the mapping beyond the file can't be accessed: programs that
 * walk over memory, such as valgrind's search for leaks, then skip it. If it
 * could be accessed, each word would cost a SIGBUS, for half an hour. Many
 * threads that append at once may end several windows.
 */
int tr2_fxt_window_open_all(const struct tr2_fxt_file *file, uint64_t have)
{
	const uint64_t before = __atomic_load_n(&file->have, __ATOMIC_RELAXED);
	const size_t last = (size_t)((have - 1) / TR2_FXT_WINDOW);
	size_t which = before ? (size_t)((before - 1) / TR2_FXT_WINDOW) : 0;

	for (; which <= last; which++)
		if (!open_window(file, have, which))
			return 0;
	return 1;
}

size_t tr2_fxt_file_open_bytes(const struct tr2_fxt_file *file)
{
	return first_bytes(file,
			   __atomic_load_n(&file->have, __ATOMIC_RELAXED));
}

int tr2_fxt_window_is_possible(int fd)
{
	const size_t size = (size_t)sysconf(_SC_PAGESIZE);
	void *map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	return map != MAP_FAILED && !munmap(map, size);
}

int tr2_fxt_window_begin(struct tr2_fxt_file *file)
{
	off_t before = file->start % (off_t)sysconf(_SC_PAGESIZE);
	void *map;

	file->size = (size_t)(before + PAGE) + window_bytes(file, 0);
	map = file->is_full ? mmap(NULL, file->size, PROT_NONE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0)
			    : mmap(NULL, file->size, PROT_NONE, MAP_SHARED,
				   file->fd, file->start - before);
	if (map == MAP_FAILED)
		return 0;
	file->map = map;
	file->space = (char *)map + before + PAGE;
	return tr2_fxt_window_open_all(file, file->have);
}

void tr2_fxt_window_unmap_all(struct tr2_fxt_file *file)
{
	size_t size;
	void *window;

	for (size_t which = 1;
	     (window = tr2_fxt_file_window(file, which, &size)) != NULL;
	     which++)
		munmap(window, size);
	if (file->map)
		munmap(file->map, file->size);
}
