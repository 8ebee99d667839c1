/*
 * The file under the FXT target, where each call of the system may fail, and
 * where others or the host do things to it. file.txt has the cases. Bytes are
 * written as 1M+1P+7: megabytes and pages of 4096 bytes.
 */
#define _GNU_SOURCE /* syscall */
#include "fxt/file_windows.h"

#include "fxt/append.h"
#include "trace/reader.h"

static char path[64];
static int is_child;
static int theirs = -1; /* a number that is, or was, ours */
static int opened = -1; /* the last one, which is not known without fstat() */

/*
 * ---- The file
 */

/* Begin a trace after the file's contents, as a process that may do so. */
static const char *begin_again(char **word)
{
	const int fd = open(path, O_RDWR | O_APPEND | O_CREAT, 0600);

	opened = fd;
	errno = 0;
	memset(&seen, 0, sizeof(seen));
	return tr2_fxt_file_begin(&file, fd, (pid_t)script_number(word[1], 77),
				  (uint64_t)bytes_of(word[0], MIB), is_child)
		       ? "begun"
		       : script_say_error(errno);
}

static const char *begin_file(char **word)
{
	unlink(path);
	return begin_again(word);
}

static const char *begin_device(SCRIPT_NONE)
{
	const int fd = open("/dev/null", O_RDWR);

	errno = 0;
	return tr2_fxt_file_begin(&file, fd, 77, MIB, 0)
		       ? "begun"
		       : script_say_error(errno);
}

/* `begin-pieces`: a file that gets its records in pieces. */
static const char *begin_pieces(SCRIPT_NONE)
{
	begin_file((char *[]){ (char[]){ "4M" }, (char[]){ "" } });
	tr2_fxt_append_begin(&file);
	writes = 0;
	return NULL;
}

static const char *append_piece(char **word)
{
	static const char bytes[64] = "";

	errno = EINTR; /* of an earlier call */
	return script_say_yes(
		tr2_fxt_append(&file, bytes, (size_t)bytes_of(word[0], 64)));
}

static const char *tell_writes(SCRIPT_NONE)
{
	return script_say_number(writes);
}

static const char *limit_pieces(char **word)
{
	file.limit = (uint64_t)bytes_of(word[0], 0);
	return NULL;
}

static const char *grow_file(SCRIPT_NONE)
{
	size_t have;

	errno = EXDEV;
	have = tr2_fxt_file_grow(&file, file.have);
	return errno == EXDEV ? say_bytes(have) : "errno";
}

static const char *trim_file(char **word)
{
	tr2_fxt_file_trim(&file, (uint64_t)bytes_of(word[0], 0));
	return NULL;
}

static const char *forget_file(SCRIPT_NONE)
{
	tr2_fxt_file_forget(&file);
	return NULL;
}

static const char *close_file(SCRIPT_NONE)
{
	theirs = file.fd < 0 ? theirs : file.fd;
	tr2_fxt_file_close(&file);
	return NULL;
}

static const char *give_up_file(SCRIPT_NONE)
{
	tr2_fxt_file_give_up(&file);
	return NULL;
}

static const char *tell_state(SCRIPT_NONE)
{
	static const char *const names[] = { "whole", "closed", "gone" };
	enum tr2_fxt_state state;

	errno = EXDEV;
	state = tr2_fxt_file_state(&file);
	return errno == EXDEV ? names[state] : "errno";
}

/* Where it begins, what it has, and may have; and why it grows no more. */
static const char *tell_file(SCRIPT_NONE)
{
	return script_say("start %s, have %s of %s%s%s%s",
			  say_bytes((uint64_t)file.start), say_bytes(file.have),
			  say_bytes(file.max), file.error ? ", " : "",
			  file.error ? script_say_error(file.error) : "",
			  file.is_full ? ", full" : "");
}

static const char *tell_size(SCRIPT_NONE)
{
	struct stat st = { .st_size = 0 };

	return stat(path, &st) ? "none" : say_bytes((uint64_t)st.st_size);
}

/* What was done since it was begun, or since this was asked last. */
static const char *tell_seen(SCRIPT_NONE)
{
	char text[200];

	snprintf(text, sizeof(text), "%d appended, %d cuts, %s of %s open%s%s",
		 seen.appended, seen.cuts, say_bytes(seen.opened),
		 say_bytes(file.size),
		 seen.not_held ? ", signals not held" : "",
		 seen.opened && seen.access != (PROT_READ | PROT_WRITE)
			 ? ", not for all"
			 : "");
	memset(&seen, 0, sizeof(seen));
	return script_say("%s", text);
}

static const char *tell_rest(SCRIPT_NONE)
{
	return seen.access_of_rest == PROT_NONE ? "closed" : "open";
}

static const char *tell_unmapped(SCRIPT_NONE)
{
	const int count = seen.unmapped;

	seen.unmapped = 0;
	return script_say(
		"%d, %s, closed %s, map %s", count,
		say_bytes(seen.unmapped_size),
		seen.closed > 2 ? "ours" : script_say_number(seen.closed),
		file.map || file.fd >= 0 || file.max ? "left" : "gone");
}

static void keep_finding(void *context,
			 const struct trace_reader_finding *finding)
{
	*(int *)context += 1;
	printf("# %s at %llu\n", trace_reader_id(finding->problem),
	       (unsigned long long)finding->offset);
}

/* The file as a trace: its providers, of which the last one's name. */
static const char *read_trace(SCRIPT_NONE)
{
	static char bytes[3 * MIB];
	char last[40] = "";
	int findings = 0, providers = 0;
	uint64_t ticks = 0;
	struct trace_reader_options options = { keep_finding, &findings, 0 };
	struct trace_reader *reader = trace_reader_new(&options);
	struct trace_reader_record record;
	const int in = open(path, O_RDONLY);
	const ssize_t len = read(in, bytes, sizeof(bytes));

	close(in);
	trace_reader_feed(reader, bytes, len < 0 ? 0 : (size_t)len);
	while (trace_reader_next(reader, &record) > 0) {
		if (record.type == FXT_INITIALIZATION)
			ticks = record.id;
		if (record.type != FXT_METADATA || !record.name.len)
			continue;
		providers++;
		snprintf(last, sizeof(last), "%.*s", (int)record.name.len,
			 record.name.bytes);
	}
	trace_reader_end(reader);
	trace_reader_free(reader);
	return script_say("%d findings, %d ticks, %d providers: %s", findings,
			  (int)ticks, providers, last);
}

/*
 * ---- What others do to it
 */

static const char *put_file(char **word)
{
	const int out = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	tap_need(syscall(SYS_write, out, word[0], script.len[1]) ==
		 (long)script.len[1]);
	close(out);
	return NULL;
}

static const char *cut_file(char **word)
{
	tap_need(!truncate(path, bytes_of(word[0], 0)));
	return NULL;
}

static const char *overwrite_byte(char **word)
{
	const int out = open(path, O_WRONLY);

	tap_need(syscall(SYS_pwrite64, out, "!", 1, bytes_of(word[0], 0)) == 1);
	close(out);
	return NULL;
}

static const char *remove_name(SCRIPT_NONE)
{
	unlink(path);
	return NULL;
}

/* What is put into the mapping is in the file at that place. */
static const char *put_record(char **word)
{
	const int in = open(path, O_RDONLY);
	char text[8] = "";

	memcpy(file.space, "a record", 8);
	tap_need(pread(in, text, 8, bytes_of(word[0], 0)) == 8);
	close(in);
	return script_say_yes(!memcmp(text, "a record", 8));
}

/* The first chunk is memory where the file is full. */
static const char *use_space(SCRIPT_NONE)
{
	memset(file.space, 1, PAGE);
	return NULL;
}

/* The host has a file of its own, or the same file, under our number. */
static const char *take_number(char **word)
{
	const int other = *word[0] ? open(path, O_RDWR)
				   : open("other", O_RDWR | O_CREAT, 0600);

	theirs = *word[0] ? theirs : file.fd;
	if (!*word[0])
		tap_need(!syscall(SYS_ftruncate, other, 5000000));
	dup2(other, theirs);
	if (other != theirs)
		close(other);
	seen.closed = -1;
	return NULL;
}

static const char *tell_taken(SCRIPT_NONE)
{
	struct stat st;

	return !fstat(theirs, &st) && st.st_size == 5000000 &&
			       seen.closed != theirs
		       ? "as it was"
		       : "changed";
}

static const char *release_number(SCRIPT_NONE)
{
	close(theirs);
	theirs = -1;
	return NULL;
}

static const char *close_ours(SCRIPT_NONE)
{
	theirs = file.fd;
	close(file.fd);
	return NULL;
}

static const char *tell_closed(SCRIPT_NONE)
{
	return script_say("%s, %s", seen.closed < 0 ? "nothing" : "closed",
			  file.fd < 0 ? "no number" : "a number");
}

/* The file's number is one of the lowest. */
static const char *move_number(char **word)
{
	const int fd = dup2(file.fd, (int)script_number(word[0], 0));

	close(file.fd);
	file.fd = fd;
	tr2_descriptor_know(&file.known, fd);
	return NULL;
}

static const struct script_verb verbs[] = {
	{ "begin", begin_file },
	{ "begin-again", begin_again },
	{ "begin-device", begin_device },
	{ "begin-pieces", begin_pieces },
	{ "append", append_piece },
	{ "writes", tell_writes },
	{ "limit-pieces", limit_pieces },
	{ "grow", grow_file },
	{ "trim", trim_file },
	{ "forget", forget_file },
	{ "close", close_file },
	{ "give-up", give_up_file },
	{ "state", tell_state },
	{ "file", tell_file },
	{ "size-of", tell_size },
	{ "seen", tell_seen },
	{ "rest", tell_rest },
	{ "unmapped", tell_unmapped },
	{ "trace", read_trace },
	{ "put", put_file },
	{ "cut", cut_file },
	{ "overwrite", overwrite_byte },
	{ "unlink", remove_name },
	{ "put-record", put_record },
	{ "use", use_space },
	{ "take", take_number },
	{ "taken", tell_taken },
	{ "release", release_number },
	{ "close-ours", close_ours },
	{ "closed", tell_closed },
	{ "move-to", move_number },
	{ "size", set_size },
	{ "send", send_signal },
	{ "signals", tell_signals },
	{ "set", script_set },
	FILE_WINDOWS,
	SCRIPT_SYSTEM,
	{ NULL, NULL },
};

static const struct script_value values[] = {
	{ "lock", &world.lock },
	{ "stat", &world.stat },
	{ "cut", &world.cut },
	{ "map", &world.map },
	{ "protect", &world.protect },
	{ "get", &world.get },
	{ "put-error", &world.put_error },
	{ "page", &world.page },
	{ "interrupts", &interrupts },
	{ "write-error", &write_error },
	{ "is-child", &is_child },
	{ "turn-taken", &file.growing },
	{ NULL, NULL },
};

static void begin_case(void)
{
	world.put = world.room = write_most = -1;
	world.most = world.cut_to = world.sent = 0;
	seen.closed = -1;
}

static void end_case(void)
{
	script_clear_values();
	begin_case();
	tr2_fxt_file_forget(&file);
	close(opened);
	script_restore_system();
	unlink(path);
	signal(SIGPIPE, SIG_DFL);
}

int main(void)
{
	static struct tr2_host host;

	if (!HAS_WORLD) {
		tap_skip("the file of the FXT target", "the sanitizer");
		return tap_done();
	}
	host = tr2_host_system;
	host.close = close_noted;
	host.write = write_noted;
	tr2_host = &host;
	snprintf(path, sizeof(path), "/tmp/t2-file-%ld.fxt", (long)getpid());
	script.values = values;
#ifdef __SANITIZE_ADDRESS__
	script.skips = "the sanitizer needs terabytes of addresses";
#endif
	return script_main(__FILE__, verbs, begin_case, end_case);
}
