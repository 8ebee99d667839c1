/* The file under the FXT target, where each call of the system may fail. */
#define _GNU_SOURCE /* syscall */
#include "fxt/file_kit.h"

#include <stdlib.h>

#include "kit/tap.h"
#include "trace/reader.h"
#include "fxt/file.h"
#include "host/host.h"

/* One that could not be begun: its errno, and nothing is left of it. */
static int file_is_refused(off_t stays)
{
	int error = errno;

	tr2_fxt_file_forget(&file);
	error = size_of() == stays ? error : -1;
	renew_world();
	return error;
}

/* The file stays as it was, and the engine gets memory in its place. */
static int file_is_full(int reason)
{
	int is_full = begin_file(MIB) && file.is_full && file.error == reason &&
		      file.have == PAGE &&
		      tr2_fxt_file_state(&file) == TR2_FXT_GONE;

	if (is_full)
		memset(file.space, 1, PAGE);
	return is_full && file_is_refused(0) >= 0;
}

static void put_file(const void *bytes, size_t len)
{
	int out = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (syscall(SYS_write, out, bytes, len) != (long)len)
		exit(2);
	close(out);
}

struct found {
	int providers, findings;
	char name[40];
	uint64_t ticks;
};

static void keep_finding(void *context,
			 const struct trace_reader_finding *finding)
{
	struct found *found = context;

	found->findings++;
	printf("# %s at %llu\n", trace_reader_id(finding->problem),
	       (unsigned long long)finding->offset);
}

/* Read the file as a trace. */
static struct found look_at_file(void)
{
	static char bytes[3 * MIB];
	struct found found = { 0, 0, "", 0 };
	struct trace_reader_options options = { keep_finding, &found, 0 };
	struct trace_reader *reader = trace_reader_new(&options);
	struct trace_reader_record record;
	int in = open(path, O_RDONLY);
	ssize_t len = read(in, bytes, sizeof(bytes));

	close(in);
	trace_reader_feed(reader, bytes, len < 0 ? 0 : (size_t)len);
	while (trace_reader_next(reader, &record) > 0) {
		if (record.type == FXT_INITIALIZATION)
			found.ticks = record.id;
		if (record.type != FXT_METADATA || !record.name.len)
			continue;
		found.providers += record.provider == 77;
		snprintf(found.name, sizeof(found.name), "%.*s",
			 (int)record.name.len, record.name.bytes);
	}
	trace_reader_end(reader);
	trace_reader_free(reader);
	return found;
}

static void test_beginning(void)
{
	struct found found;

	tap_ok(begin_file(5) && file.have == MIB && file.max == MIB &&
		       size_of() == PAGE + MIB && file.start == 0,
	       "a file begins with one step");
	tap_ok(!seen.not_held && seen.appended == 1,
	       "signals of writing are held back");
	look_at_signals();
	tap_int(seen.not_held, 1, "but not for longer");
	found = look_at_file();
	tap_ok(found.providers == 1 && !found.findings &&
		       found.ticks == 1000000000,
	       "it is a trace at once");
	tap_str(found.name, "trace2 77", "whose provider has the pid");
	tap_ok(seen.access == (PROT_READ | PROT_WRITE) &&
		       seen.opened == PAGE + MIB && file.size == seen.opened,
	       "what it holds is open to access");
	end_file();
}

static void test_forgetting(void)
{
	begin_file(MIB);
	tr2_fxt_file_trim(&file, 8192);
	tap_int(size_of(), PAGE + 8192, "it is cut to what is used");
	fd = file.fd;
	seen.unmapped = 0; /* not the probe for room */
	tr2_fxt_file_forget(&file);
	tap_ok(seen.closed == fd && seen.unmapped == 1 &&
		       seen.unmapped_size == PAGE + MIB && file.fd == -1 &&
		       !file.map && !file.max,
	       "it is closed and unmapped");
	tr2_fxt_file_forget(&file);
	tap_ok(seen.closed == fd && seen.unmapped == 1, "and that once");
	end_file();
	begin_file(0);
	fd = dup2(file.fd, 0);
	close(file.fd);
	file.fd = fd;
	tr2_descriptor_know(&file.known, fd);
	tr2_fxt_file_forget(&file);
	tap_int(seen.closed, 0, "descriptor 0 is one like others");
	open("/dev/null", O_RDONLY);
	renew_world();
}

/* Behind what is there, whatever the system's pages are. */
static void test_adding(void)
{
	static const uint64_t magic[] = { 0x0016547846040010, 0 };
	struct found found;
	char text[8] = "";
	int in;

	put_file(magic, 8);
	tap_ok(begin_again(MIB) && file.start == PAGE &&
		       size_of() == 2 * PAGE + MIB,
	       "a trace begins at a page");
	found = look_at_file();
	tap_ok(found.providers == 1 && !found.findings,
	       "what is left of the last page is filled");
	tr2_fxt_file_trim(&file, 65536);
	end_file();
	tap_ok(begin_again(MIB) && file.start == 2 * PAGE + 65536 &&
		       file.have == MIB,
	       "a second one begins where the first ends");
	found = look_at_file();
	tap_ok(found.providers == 2 && !found.findings, "and both are whole");
	end_file();
	put_file(magic, 8);
	world.page = 2 * PAGE;
	tap_ok(begin_again(MIB) && file.size == 2 * PAGE + MIB &&
		       file.space == (char *)file.map + 2 * PAGE,
	       "a mapping begins at a page of the system's");
	memcpy(file.space, "a record", 8);
	in = open(path, O_RDONLY);
	tap_ok(pread(in, text, 8, 2 * PAGE) == 8 &&
		       !memcmp(text, "a record", 8),
	       "what is in it is in the file");
	close(in);
	end_file();
}

static void test_no_trace(void)
{
	static const uint64_t magic[] = { 0x0016547846040010, 0 };

	put_file(magic, 12);
	tap_ok(!begin_again(MIB) && file_is_refused(12) == EEXIST,
	       "what is no whole number of words is no trace");
	put_file("no trace", 8);
	tap_ok(!begin_again(MIB) && file_is_refused(8) == EEXIST,
	       "nor are other words");
	fd = open("/dev/null", O_RDWR);
	errno = 0;
	tap_ok(!tr2_fxt_file_begin(&file, fd, 77, MIB, 0) && errno == EINVAL,
	       "nor is what is no file");
	end_file();
}

/* Of as many digits as no system has, so that all words are full. */
static void test_a_long_name(void)
{
	struct found found;

	begin_file(MIB);
	end_file();
	fd = open(path, O_RDWR | O_APPEND);
	tap_ok(tr2_fxt_file_begin(&file, fd, 123456789, MIB, 0) &&
		       tr2_fxt_file_state(&file) == TR2_FXT_WHOLE,
	       "the whole name is compared");
	found = look_at_file();
	tap_str(found.name, "trace2 123456789", "as it is read");
	end_file();
}

static void test_no_room(void)
{
	world.put = 100;
	tap_ok(file_is_full(ENOSPC), "no room for a whole page is no room");
	world.put = 0;
	tap_ok(file_is_full(ENOSPC), "nor is none at all");
	world.room = PAGE - 1;
	tap_ok(file_is_full(ENOSPC), "room for a part of a page is no room");
	world.room = 32767;
	tap_ok(begin_file(MIB) && !file.is_full && file.have == 7 * PAGE &&
		       file.max == 7 * PAGE && size_of() == 8 * PAGE,
	       "where a large chunk has no room, small ones may have it");
	end_file();
	world.most = PAGE;
	tap_ok(begin_file(MIB) && !file.is_full && file.have == PAGE,
	       "the smallest file has one small chunk");
	end_file();
	world.cut_to = 100;
	world.most = PAGE;
	tap_ok(file_is_full(EDQUOT),
	       "a chunk of which a part was cut meanwhile is no room");
}

static void test_refusals(void)
{
	world.lock = EACCES;
	tap_ok(!begin_file(MIB) && file_is_refused(0) == EAGAIN,
	       "a lock that another has may be told so");
	world.lock = ENOLCK;
	tap_ok(!begin_file(MIB) && file_is_refused(0) == ENOLCK,
	       "that there are no locks is another reason");
	world.stat = EIO;
	tap_ok(!begin_file(MIB) && file_is_refused(0) == EIO,
	       "a file that can't be looked at is none");
	world.put_error = EIO;
	tap_ok(!begin_file(MIB) && file_is_refused(0) == EIO,
	       "why a write fails is told");
	world.map = ENOMEM;
	tap_ok(!begin_file(MIB) && !seen.appended &&
		       file_is_refused(0) == ENOMEM,
	       "what can't be mapped is not written to");
	world.protect = EPERM;
	tap_ok(!begin_file(MIB) && file_is_refused(0) == EPERM,
	       "what can't be accessed is cut to what it was");
	world.protect = EPERM;
	world.cut = EIO;
	tap_ok(!begin_file(MIB) && file_is_refused(PAGE + MIB) == EPERM,
	       "where that fails, too, the first reason counts");
}

static void test_growing(void)
{
	begin_file(3 * MIB - 1);
	tap_ok(file.max == 2 * MIB && file.size == PAGE + 2 * MIB &&
		       seen.opened == PAGE + MIB &&
		       seen.access_of_rest == PROT_NONE,
	       "what the file does not hold yet is closed");
	end_file();
	begin_file(3 * MIB);
	errno = EXDEV;
	tap_int((intmax_t)tr2_fxt_file_grow(&file, file.have), 2 * MIB,
		"a file grows by a step");
	tap_ok(seen.opened == PAGE + 2 * MIB, "which is open to access then");
	tr2_fxt_file_grow(&file, file.have);
	tap_ok(tr2_fxt_file_grow(&file, file.have) == 3 * MIB &&
		       seen.appended == 3 && size_of() == PAGE + 3 * MIB,
	       "and not above what was asked for");
	tap_int(!!ftruncate(fd, PAGE + 4 * MIB), 0, "others may append, too");
	tap_ok(tr2_fxt_file_grow(&file, file.have) == 4 * MIB &&
		       seen.opened == file.size && seen.appended == 3,
	       "what is behind the mapping is left alone");
	world.protect = EPERM;
	tap_ok(!tr2_fxt_file_grow(&file, file.have) && !file.max,
	       "what can't be accessed does not count");
	tap_int(errno, EXDEV, "errno is kept");
	end_file();
}

static void test_full(void)
{
	begin_file(4 * MIB);
	world.room = 10 * PAGE + 100;
	tap_int((intmax_t)tr2_fxt_file_grow(&file, file.have), MIB + 32768,
		"of a full disk whole chunks are used");
	tap_ok(size_of() == PAGE + MIB + 10 * PAGE && file.max == MIB + 32768,
	       "and no part of a filler stays");
	tap_int(file.error, ENOSPC, "that it is full can be told");
	seen.appended = 0;
	tap_ok(tr2_fxt_file_grow(&file, file.have) == MIB + 32768 &&
		       !seen.appended,
	       "once full is full for ever");
	end_file();
	begin_file(4 * MIB);
	world.room = PAGE;
	tr2_fxt_file_grow(&file, file.have);
	tap_ok(size_of() == 2 * PAGE + MIB && file.max == MIB && !seen.cuts,
	       "whole pages need not be cut");
	end_file();
	begin_file(4 * MIB);
	world.room = 0;
	errno = EXDEV;
	tap_ok(tr2_fxt_file_grow(&file, file.have) == MIB &&
		       file.error == ENOSPC,
	       "a disk may have no room at all");
	end_file();
	world.room = 60000;
	tap_ok(begin_file(4 * MIB) && file.have == 32768 && file.max == 32768,
	       "a file may begin with one chunk");
	end_file();
}

/* A file system that refuses all of what does not fit. */
static void test_smaller_steps(void)
{
	world.most = 300000;
	tap_ok(begin_file(4 * MIB) && file.have == MIB / 4 && !file.error,
	       "what is refused whole is tried in parts");
	tap_int((intmax_t)tr2_fxt_file_grow(&file, file.have), MIB / 2,
		"and again when it is used up");
	world.most = 32768;
	tap_int((intmax_t)tr2_fxt_file_grow(&file, file.have), MIB / 2 + 32768,
		"down to one chunk");
	tap_ok(file.max == 4 * MIB && !file.error, "it may still grow");
	world.most = 32767;
	tap_ok(tr2_fxt_file_grow(&file, file.have) == MIB / 2 + 32768 &&
		       file.max == MIB / 2 + 32768,
	       "less is nothing");
	tap_int(file.error, EDQUOT, "for the reason that the system gave");
	end_file();
}

static volatile sig_atomic_t pipes;

static void count_pipe(int signo)
{
	pipes += signo == SIGPIPE;
}

static void test_a_signal(void)
{
	signal(SIGPIPE, count_pipe);
	begin_file(4 * MIB);
	world.sent = SIGPIPE;
	tap_ok(tr2_fxt_file_grow(&file, file.have) == 2 * MIB && pipes == 1,
	       "a signal that the write has not caused is the host's");
	signal(SIGPIPE, SIG_DFL);
	end_file();
}

int main(void)
{
	if (!HAS_WORLD) {
		tap_skip("the file of the FXT target", "the sanitizer");
		return tap_done();
	}
	start_world();
	tap_run(test_beginning, test_forgetting, test_adding, test_no_trace,
		test_a_long_name, test_refusals, test_no_room, test_growing,
		test_full, test_smaller_steps, test_a_signal);
	unlink(path);
	return tap_done();
}
