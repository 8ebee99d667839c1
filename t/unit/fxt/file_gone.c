/* The file under the FXT target, when others or the host do things to it. */
#define _GNU_SOURCE /* syscall */
#include "fxt/file_kit.h"

#include <stdlib.h>

#include "fxt/append.h"

static void test_cut(void)
{
	begin_file(4 * MIB);
	tap_int(truncate(path, 0), 0, "somebody cuts the file");
	world.room = 0;
	tap_ok(!tr2_fxt_file_grow(&file, file.have) && !file.max,
	       "then there is nothing to write to");
	end_file();
	begin_file(4 * MIB);
	world.cut_to = 100;
	world.room = 0;
	tap_ok(!tr2_fxt_file_grow(&file, file.have) && !file.max &&
		       size_of() == 100,
	       "nor if that happens when it is about to grow");
	end_file();
	begin_file(4 * MIB);
	world.cut_to = 100;
	world.most = 32768;
	tap_ok(!tr2_fxt_file_grow(&file, file.have) && !file.max,
	       "nor if less than a chunk is appended then");
	end_file();
	begin_file(4 * MIB);
	world.cut_to = PAGE + MIB / 2;
	world.room = 0;
	tr2_fxt_file_grow(&file, file.have);
	tap_ok(file.have == MIB && tr2_fxt_file_state(&file) == TR2_FXT_GONE,
	       "nor is one whole that was cut to a part then");
	end_file();
	begin_file(4 * MIB);
	tr2_fxt_file_trim(&file, MIB - 32768);
	tap_ok(size_of() == PAGE + MIB - 32768 &&
		       tr2_fxt_file_state(&file) == TR2_FXT_GONE,
	       "as is it where a chunk is missing");
	tap_int(!!truncate(path, PAGE + MIB), 0, "one may be put back");
	errno = EXDEV;
	tap_ok(tr2_fxt_file_state(&file) == TR2_FXT_WHOLE && errno == EXDEV,
	       "and the file be as long as it was");
	tap_int(!!truncate(path, PAGE + MIB - 1), 0, "a byte may be cut off");
	tap_int(tr2_fxt_file_state(&file), TR2_FXT_GONE, "which is noticed");
	end_file();
}

static int grows_no_more(void)
{
	const off_t before = size_of();

	seen.cuts = 0;
	errno = EXDEV;
	if (tr2_fxt_file_grow(&file, file.have) || file.max || errno != EXDEV)
		return 0;
	tr2_fxt_file_trim(&file, 0);
	return size_of() == before && !seen.cuts && !seen.appended;
}

static void overwrite_at(off_t at)
{
	int out = open(path, O_WRONLY);

	if (syscall(SYS_pwrite64, out, "!", 1, at) != 1)
		exit(2);
	close(out);
}

/* Another program writes the file, or removes it. */
static void test_gone(void)
{
	begin_file(4 * MIB);
	overwrite_at(PAGE);
	tap_int(tr2_fxt_file_state(&file), TR2_FXT_WHOLE,
		"what is traced is not looked at");
	seen.appended = 0;
	overwrite_at(31);
	tap_int(tr2_fxt_file_state(&file), TR2_FXT_GONE,
		"another head is that of another file");
	tap_ok(grows_no_more(), "which is made no longer, nor shorter");
	end_file();
	begin_file(4 * MIB);
	seen.appended = 0;
	world.get = EIO;
	tap_ok(grows_no_more(), "nor is a file that can't be read");
	end_file();
	begin_file(4 * MIB);
	seen.appended = 0;
	unlink(path);
	tap_ok(tr2_fxt_file_state(&file) == TR2_FXT_GONE &&
		       !tr2_fxt_file_grow(&file, file.have) && !seen.appended,
	       "a file without a name is nobody's");
	end_file();
	begin_file(4 * MIB);
	tr2_fxt_file_give_up(&file);
	seen.appended = 0;
	tap_ok(!tr2_fxt_file_grow(&file, file.have) && !seen.appended,
	       "who gave up gets no more");
	end_file();
}

/* The host puts a file of its own in the place of ours. */
static void test_closed(void)
{
	char other[80];
	struct stat st;
	int theirs;

	snprintf(other, sizeof(other), "%s.other", path);
	theirs = open(other, O_RDWR | O_CREAT | O_APPEND, 0600);
	if (begin_file(4 * MIB), syscall(SYS_ftruncate, theirs, 5000000))
		exit(2);
	seen.appended = 0;
	dup2(theirs, file.fd);
	tap_int(tr2_fxt_file_state(&file), TR2_FXT_CLOSED,
		"a host may put a file in the place of ours");
	tap_ok(tr2_fxt_file_grow(&file, file.have) == MIB && file.max == MIB &&
		       file.error == EBADF && !seen.appended,
	       "then what is mapped is all there is");
	tr2_fxt_file_trim(&file, 0);
	fd = file.fd;
	tr2_fxt_file_forget(&file);
	tap_ok(!fstat(fd, &st) && st.st_size == 5000000 && seen.closed != fd,
	       "and theirs is not written, cut or closed");
	close(fd);
	close(theirs);
	unlink(other);
	end_file();
	begin_file(4 * MIB);
	close(file.fd);
	errno = EXDEV;
	tap_ok(tr2_fxt_file_state(&file) == TR2_FXT_CLOSED && errno == EXDEV,
	       "or may just close ours");
	end_file();
	begin_file(4 * MIB);
	fd = file.fd;
	tr2_fxt_file_close(&file);
	tap_ok(seen.closed == fd && file.fd == -1 && file.map,
	       "a descriptor can be closed alone");
	tr2_fxt_file_close(&file);
	tap_int(file.fd, -1, "without harm where there is none");
	theirs = open(path, O_RDWR);
	dup2(theirs, fd);
	seen.closed = -1;
	tr2_fxt_file_close(&file);
	tap_int(seen.closed, -1, "nor where the host has opened the same file");
	close(fd);
	if (theirs != fd)
		close(theirs);
	end_file();
}

/*
 * Records in pieces
 */

static int writes, interrupts, write_error;
static size_t write_most;

static ssize_t write_noted(int to, const void *bytes, size_t len)
{
	writes++;
	if (interrupts-- > 0)
		return fail_with(EINTR);
	if (write_error)
		return fail_with(write_error);
	if (!write_most)
		return 0;
	return write(to, bytes, len < write_most ? len : write_most);
}

/* A file that gets pieces, of which a write takes so many bytes. */
static void begin_pieces(size_t most)
{
	begin_file(4 * MIB);
	tr2_fxt_append_begin(&file);
	write_most = most;
	writes = interrupts = write_error = 0;
}

static void test_pieces(void)
{
	static const char bytes[64] = "";

	begin_pieces(MIB);
	errno = EINTR; /* of an earlier call */
	tap_ok(tr2_fxt_append(&file, bytes, 64) == 1 && writes == 1 &&
		       file.have == MIB + 64 && size_of() == PAGE + MIB + 64,
	       "a piece is written at the end");
	interrupts = 2;
	tap_ok(tr2_fxt_append(&file, bytes, 64) && writes == 4 &&
		       file.have == MIB + 128,
	       "a write that a signal interrupts is tried again");
	file.limit = MIB + 192;
	tap_ok(tr2_fxt_append(&file, bytes, 64) && file.max,
	       "a file may be as large as it may be");
	tap_ok(!tr2_fxt_append(&file, bytes, 8) && !file.max && writes == 5,
	       "and no larger: then it is given up");
	end_file();
}

static void test_pieces_fail(void)
{
	static const char bytes[64] = "";

	begin_pieces(MIB);
	write_error = EIO;
	tap_ok(!tr2_fxt_append(&file, bytes, 64) && file.error == EIO &&
		       !file.max && writes == 1,
	       "a write that fails is the last one");
	write_error = 0;
	tap_ok(!tr2_fxt_append(&file, bytes, 64) && writes == 1,
	       "whatever the system would say later");
	end_file();
	begin_pieces(10);
	tap_ok(!tr2_fxt_append(&file, bytes, 64) && file.error == ENOSPC &&
		       size_of() == PAGE + MIB && writes == 1,
	       "of a piece without room nothing stays");
	end_file();
	begin_pieces(0);
	errno = EINTR;
	tap_ok(!tr2_fxt_append(&file, bytes, 64) && file.error == ENOSPC &&
		       writes == 1,
	       "nor is a write without a byte tried again");
	end_file();
}

int main(void)
{
	static struct tr2_host host;

	if (!HAS_WORLD) {
		tap_skip("what others do to the file of the FXT target",
			 "the sanitizer");
		return tap_done();
	}
	start_world();
	host = *tr2_host;
	host.write = write_noted;
	tr2_host = &host;
	tap_run(test_cut, test_gone, test_closed, test_pieces,
		test_pieces_fail);
	unlink(path);
	return tap_done();
}
