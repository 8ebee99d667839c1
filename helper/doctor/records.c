/* The files that FXT and Chrome leave alone. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "doctor/doctor_part.h"
#include "trace/fxt_numbers.h"

/* Is there nothing in the file, or what a target of records has written? */
static bool is_ours(const char *path, off_t size, bool is_fxt)
{
	const uint64_t magic = FXT_MAGIC;
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	char head[sizeof(magic)] = "";
	const bool is_read = fd >= 0 && read(fd, head, sizeof(head)) >= 0;

	if (fd >= 0)
		close(fd);
	if (!is_fxt)
		return !size || (is_read && !memcmp(head, "[\n", 2));
	return !size || (is_read && size % (off_t)sizeof(magic) == 0 &&
			 !memcmp(head, &magic, sizeof(magic)));
}

/* SPEC: fxt.target.file.owner, chrome.owner, chrome.foreign */
const char *tr2_doctor_find_refusal(const char *path, const struct stat *st,
				    bool is_fxt)
{
	const bool is_file = S_ISREG(st->st_mode);

	if (!is_file && is_fxt)
		return "this target needs a file";
	if ((is_file || S_ISFIFO(st->st_mode)) && st->st_uid != geteuid())
		return "it belongs to another user";
	if (is_file && access(path, R_OK))
		return strerror(errno);
	return is_file && !is_ours(path, st->st_size, is_fxt)
		       ? "the file has no trace of this target in it"
		       : NULL;
}
