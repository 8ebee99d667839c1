/*
 * What a destination opens, and what it does where that fails, where a write
 * fails, and in a forked child. destination.txt has the cases; @ in a value
 * stands for the test's directory.
 */
#define _GNU_SOURCE /* AT_EMPTY_PATH, pseudo-terminals, ppoll() */
#include "destination/destination_host.h"
#include "destination/destination_slow.h"
#include "destination/destination_signals.h"
#include "destination/destination_forks.h"

#include <sys/un.h>

#include "kit/script_child.h"

static int max_files, is_quiet, reads_back, has_no_account;
static char name[256]; /* of a file in a directory */

/*
 * ---- The destination
 */

/* The value with the directory in the place of @. */
static const char *find_value(const char *word)
{
	const char *at = strchr(word, '@');

	return at ? kit_text("%.*s%s/%s", (int)(at - word), word, kit_dir,
			     at + 1)
		  : kit_text("%s", word);
}

static struct tr2_destination_options find_options(const char *value)
{
	struct tr2_destination_options options = kit_options(value);

	options.file_name = *name ? name : "sid";
	options.debug = !is_quiet;
	options.max_files = max_files;
	options.read_back = reads_back;
	if (has_no_account)
		options.waited_ns = NULL;
	return options;
}

static int error_before; /* that errno has */

static const char *tell_opened(int is_open)
{
	if (errno != (error_before ? error_before : 1234))
		return "errno";
	return is_open ? "on" : "off";
}

static const char *open_value(const char *value)
{
	struct tr2_destination_options options = find_options(value);

	kit_waited = 0;
	began = kit_seconds();
	tell_polls(NULL);
	errno = error_before ? error_before : 1234;
	return tell_opened(tr2_destination_open(&dst, &options));
}

static const char *open_destination(char **word)
{
	return open_value(find_value(word[0]));
}

/* What a forked child does before its first event. */
static const char *reopen_destination(char **word)
{
	struct tr2_destination_options options =
		find_options(find_value(word[0]));

	options.file_name = word[1];
	errno = error_before ? error_before : 1234;
	tr2_destination_fork_child(&dst);
	return tell_opened(tr2_destination_reopen(&dst, &options));
}

static const char *forget_destination(SCRIPT_NONE)
{
	errno = 1234;
	tr2_destination_fork_child(&dst);
	return errno == 1234 && dst.ours.fd < 0 ? "errno kept" : "?";
}

static const char *close_destination(SCRIPT_NONE)
{
	kit_close(&dst);
	return NULL;
}

static const char *write_line(char **word)
{
	return script_say_yes(kit_write(&dst, word[0]));
}

static const char *does_end_with(char **word)
{
	return script_say_yes(
		tr2_destination_ends_with(&dst, word[0], strlen(word[0])));
}

static const char *write_long(char **word)
{
	static char bytes[20000];
	const size_t len = (size_t)script_number(word[0], 0);

	memset(bytes, 'x', sizeof(bytes));
	return script_say_yes(kit_write_bytes(&dst, bytes, len));
}

/* `alive, dropped 0, too many files`. */
static const char *tell_destination(SCRIPT_NONE)
{
	return script_say("%s, dropped %d%s", dst.alive ? "alive" : "dead",
			  (int)dst.dropped,
			  dst.too_many_files ? ", too many files" : "");
}

static const char *tell_kind(SCRIPT_NONE)
{
	return dst.kind == TR2_DESTINATION_SOCKET     ? "socket"
	       : dst.kind == TR2_DESTINATION_DATAGRAM ? "datagrams"
	       : dst.kind == TR2_DESTINATION_OFF      ? "off"
						      : "other";
}

/* Our number: 10, or above; what it may do. */
static const char *tell_ours(SCRIPT_NONE)
{
	const int fd = dst.ours.fd;
	const int flags = fcntl(fd, F_GETFL);

	return script_say("%s, %s%s%s",
			  fd > 10    ? "above 10"
			  : fd == 10 ? "10"
				     : "low",
			  fcntl(fd, F_GETFD) == FD_CLOEXEC ? "closed by exec"
							   : "inherited",
			  (flags & O_ACCMODE) == O_RDWR ? ", read" : "",
			  flags & O_APPEND ? ", appended" : "");
}

/* What came to standard error; the directory is @. */
static const char *tell_warnings(SCRIPT_NONE)
{
	const char *text = kit_stderr(), *at = strstr(text, kit_dir);

	return at ? script_say("%.*s@%s", (int)(at - text), text,
			       at + strlen(kit_dir))
		  : text;
}

static const char *tell_content(char **word)
{
	return kit_content(word[0]);
}

/*
 * ---- Descriptors
 */

static const char *close_peer(SCRIPT_NONE)
{
	if (peer >= 0)
		close(peer);
	peer = -1;
	return NULL;
}

/* `pipe 8`, `stream 8` and so on: the peer is the other end. */
static const char *make_pipe(char **word)
{
	close_peer(NULL);
	peer = kit_pipe_as((int)script_number(word[0], 0));
	return NULL;
}

static int find_type(const char *word)
{
	return !strcmp(word, "stream")	? SOCK_STREAM
	       : !strcmp(word, "dgram") ? SOCK_DGRAM
					: SOCK_SEQPACKET;
}

static const char *make_sockets(char **word)
{
	close_peer(NULL);
	peer = kit_socket_as((int)script_number(word[1], 0),
			     find_type(word[0]));
	return NULL;
}

static const char *read_peer(SCRIPT_NONE)
{
	return kit_read(peer);
}

/* The peer's own end under that number. */
static const char *copy_peer(char **word)
{
	dup2(peer, (int)script_number(word[0], 0));
	return NULL;
}

/* `file 8 NAME`: a new file, by that number. */
static const char *make_file(char **word)
{
	const int fd = (int)script_number(word[0], 0);
	const int file = open(word[1], O_RDWR | O_CREAT | O_TRUNC, 0666);

	if (file != fd) {
		dup2(file, fd);
		close(file);
	}
	return NULL;
}

static const char *close_number(char **word)
{
	close((int)script_number(word[0], 0));
	return NULL;
}

static const char *is_open(char **word)
{
	return script_say_yes(fcntl((int)script_number(word[0], 0), F_GETFD) >=
			      0);
}

static const char *is_blocking(char **word)
{
	return script_say_yes(
		!(fcntl((int)script_number(word[0], 0), F_GETFL) & O_NONBLOCK));
}

/* Under our number the host has a file of its own, or a copy of a number. */
static const char *take_ours(char **word)
{
	const int other = isdigit((unsigned char)*word[0])
				  ? dup((int)script_number(word[0], 0))
				  : open(word[0], O_RDWR | O_CREAT, 0666);

	dup2(other, dst.ours.fd);
	close(other);
	return NULL;
}

static int closed;

static const char *close_ours(SCRIPT_NONE)
{
	closed = dst.ours.fd;
	close(closed);
	return NULL;
}

static const char *reuses_closed(SCRIPT_NONE)
{
	return script_say_yes(dst.ours.fd == closed);
}

/* As if it had been on another device. */
static const char *move_ours(char **word)
{
	dst.ours.device += (dev_t)script_number(word[0], 1);
	return NULL;
}

static const char *bind_socket(char **word)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const int type = find_type(word[0]);

	listener = socket(AF_UNIX, type, 0);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", word[1]);
	unlink(word[1]);
	kit_require(!bind(listener, (struct sockaddr *)&address,
			  sizeof(address)) &&
			    (type != SOCK_STREAM || !listen(listener, 5)),
		    "no socket");
	return NULL;
}

static const char *accept_peer(SCRIPT_NONE)
{
	close_peer(NULL);
	peer = accept(listener, NULL, NULL);
	return NULL;
}

static const char *close_listener(SCRIPT_NONE)
{
	if (listener >= 0)
		close(listener);
	listener = -1;
	return NULL;
}

/*
 * ---- Names
 */

/* `name sid`, or `name 200`: of so many bytes. */
static const char *set_name(char **word)
{
	const size_t len = (size_t)script_number(word[0], 0);

	memset(name, '\0', sizeof(name));
	if (len)
		memset(name, 'n', len);
	else
		strcpy(name, word[0]);
	return NULL;
}

/* Open a directory whose path has this many bytes. */
static const char *open_long(char **word)
{
	static char path[PATH_MAX];
	const size_t len = (size_t)script_number(word[0], 0);
	size_t at = (size_t)snprintf(path, sizeof(path), "%s/", kit_dir);

	while (at < len) {
		size_t room = len - at > 250 ? 200 : len - at;

		memset(path + at, 'd', room);
		at += room;
		path[at] = '\0';
		kit_require(!mkdir(path, 0777) || errno == EEXIST, "no dir");
		if (at < len)
			path[at++] = '/';
	}
	path[at] = '\0';
	return open_value(path);
}

/* `socket-path stream: 107`: a socket's path of so many bytes. */
static const char *open_long_socket(char **word)
{
	char path[128];
	const size_t len = (size_t)script_number(word[1], 0);

	memset(path, 'x', sizeof(path));
	path[0] = '/';
	path[len] = '\0';
	return open_value(kit_text("af_unix:%s%s", word[0], path));
}

static const struct script_verb verbs[] = {
	{ "open", open_destination },
	{ "reopen", reopen_destination },
	{ "forget", forget_destination },
	{ "close", close_destination },
	{ "line", write_line },
	{ "ends-with", does_end_with },
	{ "long-line", write_long },
	{ "state", tell_destination },
	{ "kind", tell_kind },
	{ "ours", tell_ours },
	{ "warnings", tell_warnings },
	{ "content", tell_content },
	{ "answers", set_answers },
	{ "writes", tell_writes },
	{ "writes-between", compare_writes },
	{ "fail-opens", fail_opens },
	{ "opens", tell_opens },
	{ "connects", tell_connects },
	{ "pipe", make_pipe },
	{ "sockets", make_sockets },
	{ "read", read_peer },
	{ "copy-peer", copy_peer },
	{ "close-peer", close_peer },
	{ "file", make_file },
	{ "close-number", close_number },
	{ "is-open", is_open },
	{ "is-blocking", is_blocking },
	{ "take-ours", take_ours },
	{ "close-ours", close_ours },
	{ "reuses-closed", reuses_closed },
	{ "move-ours", move_ours },
	{ "bind", bind_socket },
	{ "accept", accept_peer },
	{ "close-listener", close_listener },
	{ "name", set_name },
	{ "open-long", open_long },
	{ "socket-path", open_long_socket },
	{ "child", script_fork },
	{ "parent", script_join },
	{ "set", script_set },
	DESTINATION_SLOW,
	DESTINATION_SIGNALS,
	DESTINATION_FORKS,
	SCRIPT_SYSTEM,
	{ NULL, NULL },
};

static const struct script_value values[] = {
	{ "max-files", &max_files },
	{ "quiet", &is_quiet },
	{ "read-back", &reads_back },
	{ "unlisted", &is_unlisted },
	{ "unknown", &unknown },
	{ "unseen", &is_unseen },
	{ "errno", &error_before },
	{ "no-proc", &has_no_proc },
	{ "refused", &refused },
	{ "no-memory", &has_no_memory },
	{ "no-account", &has_no_account },
	{ "raising", &raising },
	{ "storm", &storm },
	{ "interruptions", &interruptions },
	{ NULL, NULL },
};

static void end_case(void)
{
	script_restore_system();
	kit_close(&dst);
	close_peer(NULL);
	close_listener(NULL);
	for (int fd = 3; fd < 10; fd++)
		close(fd);
	memset(answers, 0, sizeof(answers));
	open_fails = 0;
	*name = '\0';
	kit_stderr();
}

int main(void)
{
	char *text = script_read(__FILE__);

	kit_start();
	kit_host.open = open_counted;
	kit_host.connect = connect_counted;
	kit_host.write = write_answer;
	kit_host.realloc = find_memory;
	if (access("/dev/ptmx", R_OK | W_OK))
		script.skips = "no terminals";
	script.values = values;
	script_run(text, verbs, NULL, end_case);
	return kit_done();
}
