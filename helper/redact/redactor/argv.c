#include "redact/redactor/value.h"

#include <string.h>
#include <strings.h>

#include "base/ascii.h"
#include "redact/redactor/line.h"
#include "lib/text/text.h"
#include "commands_rows.h"

#define NAME_MOST 64 /* no program of git has a longer name */

/* Those of git, of its forks and of Git for Windows */
#define COMMAND(name) name " "
static const char commands[] = COMMANDS_ROWS(COMMAND);

/* Shells and what starts them, and the ends of a list on Windows. */
static const char shells[] =
	"sh bash dash zsh fish init cmd systemd pwsh powershell explorer launchd"
	" busybox (cycle) (truncated)";

static bool is_exe(const char *name, size_t len)
{
	return len > 4 && !strncasecmp(name + len - 4, ".exe", 4);
}

/*
 * Is it git, or one of git's programs, such as `git-upload-pack`? Those have
 * their command in their name.
 */
static bool is_git(const char *name, size_t len, bool *has_command)
{
	char folded[NAME_MOST];

	*has_command = false;
	if (is_exe(name, len)) {
		len -= 4;
		if (len > NAME_MOST)
			return false;
		for (size_t i = 0; i < len; i++) /* Windows takes any case */
			folded[i] = (char)tr2_ascii_fold(name[i]);
		name = folded;
	}
	*has_command = tr2_text_starts(name, len, "git-");
	if (*has_command)
		return tr2_text_is_among(name + 4, len - 4, commands);
	*has_command = tr2_text_is(name, len, "scalar");
	return *has_command || tr2_text_is(name, len, "git");
}

static bool is_shell(const char *text, size_t len)
{
	if (is_exe(text, len))
		len -= 4;
	return tr2_text_is_among(text, len, shells);
}

void tr2_hide_process(const struct tr2_hider *hider, struct tr2_buf *out,
		      const char *text, size_t len)
{
	bool has_command;

	if (is_git(text, len, &has_command) || is_shell(text, len))
		tr2_buf_add(out, text, len);
	else
		tr2_hide_text(hider, out, text, len);
}

void tr2_hide_begin_argv(struct tr2_hide_argv *argv, bool alias)
{
	*argv = (struct tr2_hide_argv){ .git = alias, .words = alias };
}

/* With `arguments`, a word of any shape is hidden. */
static void hide_argument(const struct tr2_hider *hider, struct tr2_buf *out,
			  const char *text, size_t len)
{
	struct tr2_hider all = *hider;

	if (all.hide & TR2_HIDE_ARGUMENTS)
		all.hide = TR2_HIDE_ALL;
	tr2_hide_text(&all, out, text, len);
}

static size_t find_blank(const char *text, size_t len)
{
	size_t i = 0;

	while (i < len && !memchr(" \t\n", text[i], 4)) /* or a NUL */
		i++;
	return i;
}

/* `/`, `./`, `C:\`, or `\\`: a line of a shell may begin so, too. */
static bool is_path_start(const char *text, size_t len)
{
	size_t at = 0;

	if (len > 2 && tr2_ascii_alpha(*text) && text[1] == ':')
		at = 2;
	while (at < len && text[at] == '.')
		at++;
	return at < len && (text[at] == '/' || text[at] == '\\');
}

static size_t find_name(const char *text, size_t len)
{
	while (len && text[len - 1] != '/' && text[len - 1] != '\\')
		len--;
	return len;
}

/*
 * Returns where the path of the program ends. A shell's line has words after
 * it, but a path of git's may have blanks, as in `/opt/my tools/git`.
 */
static size_t find_program_end(const char *text, size_t len)
{
	const size_t name = find_name(text, len);
	bool has_command;

	if (is_path_start(text, len) &&
	    is_git(text + name, len - name, &has_command))
		return len;
	return find_blank(text, len);
}

/*
 * The name is hidden apart from its directory and from what follows it: then
 * programs that a summary counts together still have one name.
 */
static void hide_program(const struct tr2_hider *hider,
			 struct tr2_hide_argv *argv, struct tr2_buf *out,
			 const char *text, size_t len)
{
	size_t end = find_program_end(text, len), name = find_name(text, end);

	argv->git = is_git(text + name, end - name, &argv->found);
	if (name > 1)
		hide_argument(hider, out, text, name - 1);
	tr2_buf_add(out, text + name - (name > 0), name > 0);
	tr2_hide_process(hider, out, text + name, end - name);
	if (end < len)
		tr2_buf_add(out, text + end, 1);
	if (end + 1 < len)
		tr2_hide_other(hider, out, text + end + 1, len - end - 1);
}

static bool is_option_name(const char *text, size_t len)
{
	return len > 2 && tr2_text_count_word(text, len, "-") == len;
}

/* `--NAME` or `--NAME=VALUE` */
static void hide_long(const struct tr2_hider *hider, struct tr2_buf *out,
		      const char *text, size_t len)
{
	const char *equal = memchr(text, '=', len);
	size_t name = equal ? (size_t)(equal - text) : len;

	if (!is_option_name(text, name)) {
		hide_argument(hider, out, text, len);
		return;
	}
	tr2_buf_add(out, text, name);
	if (!equal)
		return;
	tr2_buf_byte(out, '=');
	hide_argument(hider, out, equal + 1, len - name - 1);
}

/*
 * `-x`, several in one word, or `-xVALUE`. Only of git is it known that a few
 * letters are options.
 */
static void hide_short(const struct tr2_hider *hider, struct tr2_buf *out,
		       const char *text, size_t len, bool git)
{
	size_t letters = 1;

	while (letters < len && tr2_ascii_alpha(text[letters]))
		letters++;
	if (git && letters == len && len <= 4) {
		tr2_buf_add(out, text, len);
		return;
	}
	letters = tr2_ascii_alpha(text[1]) ? 2 : 1;
	tr2_buf_add(out, text, letters);
	if (letters < len)
		hide_argument(hider, out, text + letters, len - letters);
}

static void hide_option(const struct tr2_hider *hider,
			struct tr2_hide_argv *argv, struct tr2_buf *out,
			const char *text, size_t len)
{
	argv->value = argv->git && !argv->found &&
		      tr2_text_takes_value(text, len);
	argv->operands = tr2_text_is(text, len, "--");
	if (argv->operands || len == 1)
		tr2_buf_add(out, text, len);
	else if (text[1] == '-')
		hide_long(hider, out, text, len);
	else
		hide_short(hider, out, text, len, argv->git);
}

void tr2_hide_word(const struct tr2_hider *hider, struct tr2_hide_argv *argv,
		   struct tr2_buf *out, const char *text, size_t len)
{
	if (!argv->words++) {
		hide_program(hider, argv, out, text, len);
	} else if (argv->value) {
		argv->value = false;
		hide_argument(hider, out, text, len);
	} else if (len && *text == '-' && !argv->operands) {
		hide_option(hider, argv, out, text, len);
	} else if (argv->git && !argv->found &&
		   tr2_text_is_among(text, len, commands)) {
		argv->found = true;
		tr2_buf_add(out, text, len);
	} else {
		argv->found = true;
		hide_argument(hider, out, text, len);
	}
}
