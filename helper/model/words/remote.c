/* Which remote a command line speaks to. */
#include "model/words/words.h"

#include <stddef.h>
#include <string.h>

#include "lib/text/text.h"
#include "redact/secret/secret.h"

/* Put the word of this number into an empty buffer, or nothing. */
static const char *take_word(struct tr2_record *record, size_t number,
			     struct tr2_buf *word)
{
	size_t token = tr2_words_begin(record, TR2_KEY_ARGV);

	for (size_t i = 0; i <= number; i++)
		if (!tr2_words_take(record, &token, word))
			return "";
	return word->bytes;
}

static size_t count_words(struct tr2_record *record, struct tr2_buf *word)
{
	size_t token = tr2_words_begin(record, TR2_KEY_ARGV), count = 0;

	while (tr2_words_take(record, &token, word))
		count++;
	return count;
}

/* "https://user@host/x.git?key=1" is shown as "https://host/x.git". */
static void add_url(struct tr2_buf *remote, const char *url)
{
	const char *host = strstr(url, "://");
	const char *end = url + strcspn(url, host ? "?#" : "");
	const char *user;

	host = host ? host + 3 : url;
	user = memchr(host, '@', strcspn(host, "/?#"));
	tr2_buf_str(remote, remote->len ? ", " : "");
	tr2_secret_hide(remote, url, (size_t)(host - url));
	if (user)
		host = user + 1;
	tr2_secret_hide(remote, host, (size_t)(end - host));
}

/* A helper has the name of the remote, or its URL, and then its URL. */
static void add_helper(struct tr2_buf *remote, struct tr2_record *record,
		       size_t number, struct tr2_buf *word)
{
	struct tr2_buf url = TR2_BUF_INIT;
	const char *name = take_word(record, number, word);

	take_word(record, number + 1, &url);
	if (url.len && strcmp(name, url.bytes) != 0)
		tr2_secret_hide(remote, word->bytes, word->len);
	add_url(remote, url.len ? url.bytes : name);
	tr2_buf_release(&url);
}

/* "git-upload-pack '/srv/x.git'" */
static void add_path(struct tr2_buf *remote, const char *command)
{
	const char *path = strchr(command, '\'');
	const char *end = path ? strrchr(path + 1, '\'') : NULL;

	if (end)
		tr2_secret_hide(remote, path + 1, (size_t)(end - path - 1));
}

static void add_transport(struct tr2_buf *remote, struct tr2_record *record,
			  bool ssh, struct tr2_buf *word)
{
	const size_t count = count_words(record, word);

	if (ssh && count > 2) {
		add_url(remote, take_word(record, count - 2, word));
		tr2_buf_byte(remote, ':');
	}
	add_path(remote, take_word(record, count - 1, word));
}

/* A program of git, at its number, and what follows it. */
static void add_program(struct tr2_buf *remote, struct tr2_record *record,
			const char *program, size_t number,
			struct tr2_buf *word)
{
	if (!strncmp(program, "remote-", 7))
		add_helper(remote, record, number + 1, word);
	else if (!strcmp(program, "receive-pack"))
		add_url(remote, take_word(record, number + 1, word));
	else if (!strcmp(program, "-c") &&
		 !strcmp(take_word(record, number + 1, word), TR2_WORDS_LAZY))
		add_url(remote, take_word(record, number + 3, word));
}

/* Put the first word, and return what it names, without `.exe`. */
static const char *take_program(struct tr2_record *record, struct tr2_buf *word)
{
	const char *program;
	size_t len;

	if (!*take_word(record, 0, word))
		return "";
	program = tr2_text_program(word->bytes, word->len, &len);
	word->bytes[program - word->bytes + (ptrdiff_t)len] = '\0';
	return program;
}

static void add_remote(struct tr2_buf *remote, struct tr2_record *record,
		       struct tr2_buf *word)
{
	size_t len;
	const char *class = tr2_record_text(record, TR2_KEY_CHILD_CLASS, &len);
	const char *program;

	if (class && tr2_text_starts(class, len, "transport/")) {
		add_transport(remote, record,
			      tr2_text_is(class, len, "transport/ssh"), word);
		return;
	}
	program = take_program(record, word);
	if (!strncmp(program, "git-", 4))
		add_program(remote, record, program + 4, 0, word);
	else if (!strcmp(program, "git"))
		add_program(remote, record, take_word(record, 1, word), 1,
			    word);
}

uint32_t tr2_words_remote(struct tr2_rows *rows, struct tr2_record *record)
{
	struct tr2_buf remote = TR2_BUF_INIT;

	add_remote(&remote, record, &record->word);
	return tr2_rows_take(rows, &remote);
}
