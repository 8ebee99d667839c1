/*
 * What a service is given: its command line and file, the key of placeholders,
 * and sockets that systemd passes. options.txt has the cases. What is refused
 * is in t/commands/options.tsv and t/commands/collect/test_collect_config.py.
 */
#define _GNU_SOURCE /* syscall() */
#include <errno.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "collect/options.h"
#include "kit/script_system.h"
#include "redact/redactor/line.h"

#define FDS 17

static struct tr2_collect_options options;
static char key[TR2_COLLECT_KEY_MOST + 1], key_before[sizeof(key)];
static int fds[FDS], fd_count; /* to be passed */

/*
 * ---- What the disk refuses, once
 */

static struct {
	int sync_error, rename_error, read_error;
	bool writes_half;
	int inherited; /* descriptors that other programs would get */
} disk;

static bool fails_once(int *error)
{
	errno = *error;
	*error = 0;
	return errno;
}

static void look_at(int fd)
{
	disk.inherited += !(fcntl(fd, F_GETFD) & FD_CLOEXEC);
}

int fsync(int fd)
{
	look_at(fd);
	return fails_once(&disk.sync_error) ? -1 : 0;
}

int rename(const char *from, const char *to)
{
	if (fails_once(&disk.rename_error))
		return -1;
	return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

ssize_t read(int fd, void *bytes, size_t len)
{
	look_at(fd);
	if (lseek(fd, 0, SEEK_CUR) > 0 && fails_once(&disk.read_error))
		return -1;
	return syscall(SYS_read, fd, bytes, len);
}

ssize_t write(int fd, const void *bytes, size_t len)
{
	if (disk.writes_half)
		len /= 2;
	disk.writes_half = false;
	return syscall(SYS_write, fd, bytes, len);
}

static const char *fail_call(char **word)
{
	if (!strcmp(word[0], "half"))
		disk.writes_half = true;
	else if (!strcmp(word[0], "rename"))
		disk.rename_error = EROFS;
	else
		*(!strcmp(word[0], "sync") ? &disk.sync_error
					   : &disk.read_error) = EIO;
	return NULL;
}

/* What is told on standard error between these two. */
static int saved;

static void catch_errors(void)
{
	int fd = open("errors", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	fflush(stderr);
	saved = fcntl(2, F_DUPFD_CLOEXEC, 50);
	dup2(fd, 2);
	close(fd);
}

static const char *show_errors(void)
{
	fflush(stderr);
	dup2(saved, 2);
	close(saved);
	return file_text("errors");
}

/*
 * ---- The command line and its file
 */

static void forget_options(void)
{
	tr2_buf_release(&options.text);
	options = (struct tr2_collect_options){ 0 };
}

/* Read a command line of these words, or what is told about it. */
static const char *read_words(char **word)
{
	char *argv[256] = { (char[]){ "collect" } }, *rest;
	static char words[4096]; /* the options point into it */
	int argc = 1, code;

	forget_options();
	snprintf(words, sizeof(words), "%s", word[0]);
	for (rest = strtok(words, " "); rest; rest = strtok(NULL, " "))
		argv[argc++] = rest;
	catch_errors();
	argv[argc] = NULL;
	code = tr2_collect_read_options(&options, argv);
	show_errors();
	return code == TR2_CLI_GO_ON ? "read" : file_text("errors");
}

/* `most BEGIN OPTION N`: N of them, and one more. */
static const char *read_many(char **word)
{
	static char words[4096];
	const long most = script_number(word[2], 0);

	snprintf(words, sizeof(words), "--spool p %s", word[0]);
	for (long i = 0; i < most; i++)
		snprintf(words + strlen(words), 32, " %s%ld", word[1], i);
	if (strcmp(read_words((char *[]){ words }), "read"))
		return "not so many";
	snprintf(words + strlen(words), 32, " %s%ld", word[1], most);
	return read_words((char *[]){ words });
}

/* What was read; the numbers of the first output. */
static const char *show_options(SCRIPT_NONE)
{
	const struct tr2_delivery *output = options.outputs;

	return script_say(
		"spool %s %ju, sockets %u, watches %u, outputs %u: %s %ju %ju "
		"%d, broken %ju %d, wait %ju,%s%s%s%s%s hide %u",
		options.spool, (uintmax_t)options.spool_limit,
		options.socket_count, options.watch_count, options.output_count,
		output->target, (uintmax_t)output->file_size,
		(uintmax_t)output->files_limit, (int)output->compress,
		(uintmax_t)options.broken_limit, (int)options.line_check,
		(uintmax_t)options.otlp.wait, options.redact ? " redact" : "",
		options.others ? " others" : "",
		options.remove ? " remove" : "",
		options.otlp.gzip ? " gzip" : "",
		options.status || options.check ? " other" : "", options.hide);
}

/* The first socket, the last output, the first header, and so on. */
static const char *show_more(SCRIPT_NONE)
{
	const struct tr2_delivery *output =
		options.outputs + options.output_count - 1;

	return script_say(
		"%s %s, %s %s, header '%s', key %s, line %lu",
		options.sockets[0].address.sun_path,
		options.sockets[0].stream ? "stream" : "dgram", output->target,
		output->kind == &tr2_kind_stdout ? "stdout"
		: output->kind == &tr2_kind_otlp ? "otlp"
						 : "files",
		options.otlp.header_count ? options.otlp.headers[0] : "",
		options.key_file ? options.key_file : "none", options.line);
}

/* A file of so many bytes, whose last line is that of a spool. */
static const char *write_long(char **word)
{
	static char text[1 << 20];
	const size_t size = (size_t)script_number(word[0], 0);
	FILE *out = fopen("file", "w");

	memset(text, 'x', size);
	text[0] = '#';
	memcpy(text + size - 15, "\nspool far-away", 15);
	tap_need(fwrite(text, 1, size, out) == size);
	fclose(out);
	return NULL;
}

static const char *write_nul(SCRIPT_NONE)
{
	FILE *out = fopen("file", "w");

	fwrite("spool p\n\0\nspol q\n", 1, 17, out);
	fclose(out);
	return NULL;
}

/*
 * ---- The key
 */

/* Of this file, or of the spool. Its length, or what is told. */
static const char *read_key(char **word)
{
	size_t len;

	disk.inherited = 0;
	catch_errors();
	len = tr2_collect_read_key(*word[0] ? word[0] : NULL, "spool", key);
	show_errors();
	if (disk.inherited)
		return "other programs get it";
	return len ? script_say_number((intmax_t)len) : file_text("errors");
}

static const char *write_key(char **word)
{
	FILE *out = fopen("key", "w");

	for (long i = 0; i < script_number(word[0], 0); i++)
		putc('a' + (int)(i % 26), out);
	fclose(out);
	return NULL;
}

/* Is the key as it was at the last question? */
static const char *is_same_key(SCRIPT_NONE)
{
	const bool same = !memcmp(key, key_before, 32);

	memcpy(key_before, key, sizeof(key));
	return script_say_yes(same);
}

static const char *begins_key(char **word)
{
	return script_say_yes(!memcmp(key, word[0], strlen(word[0])));
}

/* Another program writes the key bit by bit. */
static void *write_slowly(void *context)
{
	int fd = open("pipe", O_WRONLY | O_CLOEXEC);
	struct timespec nap = { .tv_nsec = 2000000 };

	for (int i = 0; i < 4; i++) {
		(void)!write(fd, "0123456789", 10);
		nanosleep(&nap, NULL);
	}
	close(fd);
	return context;
}

static const char *read_slow_key(SCRIPT_NONE)
{
	pthread_t writer;
	const char *answer;

	mkfifo("pipe", 0600);
	pthread_create(&writer, NULL, write_slowly, NULL);
	answer = read_key((char *[]){ (char[]){ "pipe" } });
	pthread_join(writer, NULL);
	return answer;
}

/*
 * ---- Sockets that are passed
 */

/* The variables that systemd sets; `-`: it has not, `own`: this process. */
static void set_passed(const char *count, const char *pid)
{
	char own[32];

	snprintf(own, sizeof(own), "%ld", (long)getpid());
	unsetenv("LISTEN_FDS");
	unsetenv("LISTEN_PID");
	if (strcmp(count, "-"))
		setenv("LISTEN_FDS", count, 1);
	if (strcmp(pid, "-"))
		setenv("LISTEN_PID", strcmp(pid, "own") ? pid : own, 1);
}

static const char *count_passed(char **word)
{
	set_passed(word[0], word[1]);
	return script_say_number(tr2_passed_count());
}

/* `pass WHAT NAME`: a socket that listens, one that does not, a file. */
static const char *pass_one(char **word)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int type = strcmp(word[0], "dgram") ? SOCK_STREAM : SOCK_DGRAM, fd;

	if (!strcmp(word[0], "same"))
		fd = fcntl(fds[fd_count - 1], F_DUPFD_CLOEXEC, 0);
	else if (!strcmp(word[0], "file"))
		fd = open(word[1], O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	else
		fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
	if (!strcmp(word[0], "stream") || type == SOCK_DGRAM) {
		strcpy(address.sun_path, word[1]);
		tap_need(!bind(fd, (const struct sockaddr *)&address,
			       sizeof(address)));
		if (type == SOCK_STREAM)
			listen(fd, 1);
	}
	fds[fd_count++] = fd;
	return NULL;
}

static const char *name_socket(char **word)
{
	tr2_socket_parse(&options.sockets[options.socket_count++], word[0]);
	return NULL;
}

static const char *name_number(char **word)
{
	char text[64];

	snprintf(text, sizeof(text), "af_unix:dgram:%s", word[0]);
	return name_socket((char *[]){ text });
}

/* In a child, where they are the descriptors from 3 on. */
static void take_there(void)
{
	FILE *out = freopen("told", "w", stderr);
	int high[FDS];
	char number[16];

	for (int i = 0; i < fd_count; i++)
		high[i] = fcntl(fds[i], F_DUPFD, 100);
	for (int i = 0; i < fd_count; i++)
		dup2(high[i], 3 + i);
	snprintf(number, sizeof(number), "%d", fd_count);
	set_passed(number, "own");
	if (!tr2_passed_take(&options))
		for (int i = 0; i < (int)options.socket_count; i++)
			fprintf(out, "%s%s%s ",
				options.sockets[i].address.sun_path,
				options.sockets[i].stream ? ":s" : ":d",
				options.sockets[i].passed ? ":passed" : "");
	fflush(out);
	_exit(0);
}

/* What the options have afterwards, or what was told. */
static const char *take_passed(SCRIPT_NONE)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid)
		take_there();
	waitpid(pid, NULL, 0);
	return file_text("told");
}

/* clang-format off */
static const struct script_verb verbs[] = {
	{ "fail", fail_call }, { "words", read_words }, { "most", read_many },
	{ "options", show_options }, { "more", show_more },
	{ "long-file", write_long }, { "nul-file", write_nul },
	{ "key", read_key }, { "write-key", write_key },
	{ "same-key", is_same_key }, { "key-begins", begins_key },
	{ "slow-key", read_slow_key }, { "count", count_passed },
	{ "pass", pass_one }, { "name", name_socket },
	{ "name-number", name_number }, { "take", take_passed },
	SCRIPT_SYSTEM, { NULL, NULL },
};
/* clang-format on */

static void begin_case(void)
{
	mkdir("spool", 0700);
}

static void end_case(void)
{
	forget_options();
	while (fd_count)
		close(fds[--fd_count]);
	script_restore_system();
	tap_need(!chdir(".."));
	remove_all("work");
	tap_need(!mkdir("work", 0700) && !chdir("work"));
}

int main(void)
{
	char *text = script_read(__FILE__);

	signal(SIGPIPE, SIG_IGN);
	enter_directory();
	tap_need(!mkdir("work", 0700) && !chdir("work"));
	script_run(text, verbs, begin_case, end_case);
	leave_directory();
	return tap_done();
}
