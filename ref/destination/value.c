#include "destination/value.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/host.h"

#define SOCKET_PREFIX "af_unix:"

static int is_word(const char *text, const char *digit, const char *word)
{
	return !strcmp(text, digit) || !strcasecmp(text, word);
}

static int is_socket(const char *text)
{
	return !strncmp(text, SOCKET_PREFIX, strlen(SOCKET_PREFIX));
}

struct tr2_destination_value tr2_destination_parse(const char *text)
{
	struct tr2_destination_value value = { .form = TR2_FORM_UNKNOWN };

	if (!text || !*text || is_word(text, "0", "false")) {
		value.form = TR2_FORM_OFF;
	} else if (is_word(text, "1", "true")) {
		value.form = TR2_FORM_DESCRIPTOR;
		value.fd = STDERR_FILENO;
	} else if (*text >= '2' && *text <= '9' && !text[1]) {
		value.form = TR2_FORM_DESCRIPTOR;
		value.fd = *text - '0';
	} else if (*text == '/') {
		value.form = TR2_FORM_PATH;
	} else if (is_socket(text)) {
		value.form = TR2_FORM_SOCKET;
		value.socket = text + strlen(SOCKET_PREFIX);
	}
	return value;
}

void tr2_destination_warn_unknown(const char *variable, const char *text)
{
	tr2_host_warn("trace2: unknown value for '%s': '%s'", variable, text);
}

int tr2_destination_is_directory(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}
