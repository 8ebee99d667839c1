/* Files that are complete: compressed ones, and those beyond the limit. */
#include "collect/delivery/delivery_kit.h"

#include <sys/resource.h>
#include <zlib.h>

/* What the compressed file holds. */
static const char *read_gzip(const char *name)
{
	static char bytes[256];
	gzFile in = gzopen(name, "r");
	int got = in ? gzread(in, bytes, sizeof(bytes) - 1) : 0;

	if (in)
		gzclose(in);
	bytes[got > 0 ? got : 0] = '\0';
	return bytes;
}

static void begin_files(enum tr2_compress compress)
{
	begin_output("files:out");
	delivery.compress = compress;
	open_output();
}

/* Begin as after a kill: the position names this file. */
static void restart_at(const char *name)
{
	strcpy(delivery.position.file, name);
	delivery.position.size = 4;
	open_output();
}

/*
 * ---- Compressed files
 */

static void test_compressed(void)
{
	begin_files(TR2_COMPRESS_GZIP);
	write_text("one\n");
	tap_str(list_names("out"), DAY "-000001.log.partial ",
		"a file is compressed when it is complete");
	delivery.kind->close(&delivery, false);
	tap_str(list_names("out"), DAY "-000001.log.gz ",
		"only the compressed one stays");
	tap_str(read_gzip(FIRST ".gz"), "one\n", "and has its lines");
	tap_str(delivery.position.file, "", "the position names no file then");
	end_output();
	begin_files(TR2_COMPRESS_ZSTD);
	write_text("one\n");
	delivery.kind->close(&delivery, false);
	tap_str(list_names("out"), DAY "-000001.log.zst ",
		"the name tells the format");
	end_output();
}

/* Something has the name of the compressed file while it is written. */
static void test_not_compressed(void)
{
	begin_files(TR2_COMPRESS_GZIP);
	write_text("one\n");
	mkdir(FIRST ".gz.partial", 0700);
	delivery.kind->close(&delivery, false);
	tap_str(kit_text(FIRST), "one\n",
		"a file that cannot be compressed stays as it is");
	tap_str(list_names("out"),
		DAY "-000001.log " DAY "-000001.log.gz.partial ",
		"and is complete");
	end_output();
}

static void test_name_of_compressed(void)
{
	begin_files(TR2_COMPRESS_GZIP);
	write_text("one\n");
	write_file(FIRST ".gz", "another's");
	delivery.kind->close(&delivery, false);
	tap_str(kit_text(FIRST ".gz"), "another's",
		"no file of another is replaced by a compressed one");
	tap_str(read_gzip(FIRST ".gz.partial"), "one\n", "which stays");
	tap_str(kit_text(FIRST ".partial"), "one\n", "as its original does");
	end_output();
}

static void test_killed_before(void)
{
	begin_files(TR2_COMPRESS_GZIP);
	write_file(FIRST ".partial", "one\n");
	write_file(FIRST ".gz.partial", "half");
	restart_at(DAY "-000001.log");
	write_text("two\n");
	delivery.kind->close(&delivery, false);
	tap_str(read_gzip(FIRST ".gz"), "one\ntwo\n",
		"a file goes on until its compressed one was named");
	tap_str(list_names("out"), DAY "-000001.log.gz ",
		"half a compressed one is made anew");
	end_output();
}

/* Only the position changes when the compressed file is whole. */
static void test_order(void)
{
	begin_files(TR2_COMPRESS_GZIP);
	write_text("one\n");
	delivery.kind->close(&delivery, false);
	tap_ok(strstr(kit_text("spool/position"), DAY "-000001.log.gz\n") !=
		       NULL,
	       "the position on disk has named the compressed file");
	end_output();
}

/*
 * ---- The limit
 */

/* One complete file of four bytes. */
static void complete_file(const char *line)
{
	write_text(line);
	delivery.kind->close(&delivery, false);
}

static void test_limit(void)
{
	begin_files(TR2_COMPRESS_OFF);
	complete_file("one\n");
	tap_ok(!has_file("spool/id.files"),
	       "without a limit no list of files is kept");
	delivery.files_limit = 8;
	complete_file("two\n");
	complete_file("abc\n");
	tap_int((intmax_t)delivery.removed, 0,
		"files that have just the limit stay");
	complete_file("def\n");
	tap_str(list_names("out"),
		DAY "-000001.log " DAY "-000003.log " DAY "-000004.log ",
		"beyond it the oldest one goes that was made with a limit");
	tap_int((intmax_t)delivery.removed, 1, "and is counted");
	end_output();
}

/* All descriptors are taken, so that no file can begin. */
static void test_no_descriptor(void)
{
	struct rlimit old, limit;
	int next = dup(0);

	begin_files(TR2_COMPRESS_OFF);
	close(next);
	getrlimit(RLIMIT_NOFILE, &old);
	limit = old;
	limit.rlim_cur = (rlim_t)next;
	setrlimit(RLIMIT_NOFILE, &limit);
	tap_int(write_text("one\n"), -1, "a file that cannot begin fails");
	tap_int(errno, EMFILE, "with the reason");
	setrlimit(RLIMIT_NOFILE, &old);
	tap_int(write_text("one\n"), 4, "it is tried again");
	end_output();
}

int main(void)
{
	int before = count_descriptors();

	enter_directory();
	tap_run(test_compressed, test_not_compressed, test_name_of_compressed,
		test_killed_before, test_order, test_limit, test_no_descriptor);
	tap_int(count_descriptors(), before, "no complete file stays open");
	leave_directory();
	return tap_done();
}
