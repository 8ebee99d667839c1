#include "read/text/made.h"

#include <string.h>

#include "base/json.h"
#include "lib/common/memory.h"
#include "lib/text/text.h"

/* A longer number may be out of range. */
#define SURE_DIGITS ((size_t)18)

/* clang-format off */
#define TEXT(text) { text, sizeof(text) - 1 }
#define KEY(key, name) [TR2_KEY_##key] = TEXT(",\"" name "\":")

/* A key with its quotes is no longer than this: it is appended in one move. */
#define KEY_ROOM ((size_t)16)

/* Those that lines of NORMAL and PERF have, as JSON. */
static const struct {
	char text[KEY_ROOM];
	size_t len;
} keys[TR2_KEYS] = {
	KEY(EVENT, "event"), KEY(SID, "sid"),
	KEY(THREAD, "thread"), KEY(TIME, "time"), KEY(FILE, "file"),
	KEY(LINE, "line"), KEY(REPO, "repo"), KEY(EXE, "exe"),
	KEY(T_ABS, "t_abs"), KEY(ARGV, "argv"), KEY(CODE, "code"),
	KEY(SIGNO, "signo"), KEY(MSG, "msg"), KEY(PATH, "path"),
	KEY(ANCESTRY, "ancestry"), KEY(NAME, "name"),
	KEY(HIERARCHY, "hierarchy"), KEY(ALIAS, "alias"),
	KEY(CHILD_ID, "child_id"), KEY(CHILD_CLASS, "child_class"),
	KEY(HOOK_NAME, "hook_name"), KEY(CD, "cd"), KEY(PID, "pid"),
	KEY(T_REL, "t_rel"), KEY(READY, "ready"), KEY(EXEC_ID, "exec_id"),
	KEY(SCOPE, "scope"), KEY(PARAM, "param"), KEY(VALUE, "value"),
	KEY(WORKTREE, "worktree"), KEY(NESTING, "nesting"),
	KEY(CATEGORY, "category"), KEY(LABEL, "label"), KEY(KEY, "key"),
	KEY(INTERVALS, "intervals"), KEY(T_TOTAL, "t_total"),
	KEY(T_MIN, "t_min"), KEY(T_MAX, "t_max"), KEY(COUNT, "count"),
};
/* clang-format on */

void tr2_made_begin(struct tr2_made *made, enum tr2_is is)
{
	tr2_buf_reset(&made->text);
	tr2_buf_reset(&made->tokens);
	made->unsure = false;
	made->is = is;
	made->count = 0;
}

void tr2_made_token(struct tr2_made *made)
{
	const uint32_t at = (uint32_t)made->text.len;

	tr2_buf_add(&made->tokens, &at, sizeof(at));
}

void tr2_made_key(struct tr2_made *made, enum tr2_key key)
{
	const uint32_t at = (uint32_t)made->text.len;
	const uint32_t end = at + (uint32_t)keys[key].len;
	const uint32_t tokens[] = { at, at + 1, end - 1, end };
	char *text = tr2_buf_take(&made->text, KEY_ROOM);

	if (!text)
		return;
	memcpy(text, keys[key].text, KEY_ROOM);
	made->text.len = end;
	tr2_buf_add(&made->tokens, tokens, sizeof(tokens));
	made->key[made->count] = (uint8_t)key;
	made->value[made->count].start = end;
	made->value[made->count].token =
		(uint32_t)(made->tokens.len / sizeof(*tokens)) - 1;
}

void tr2_made_value(struct tr2_made *made, enum tr2_kind kind)
{
	made->value[made->count].kind = kind;
	made->value[made->count].end = (uint32_t)made->text.len;
	made->count += made->count + 1 < TR2_MADE_MOST;
}

void tr2_made_text(struct tr2_made *made, enum tr2_key key, const char *text,
		   size_t len)
{
	tr2_made_key(made, key);
	tr2_json_text(&made->text, text, len);
	tr2_made_value(made, TR2_STRING);
}

/* JSON has no zeros before a number. */
void tr2_made_number(struct tr2_made *made, enum tr2_key key,
		     enum tr2_kind kind, const char *text, size_t len)
{
	tr2_made_key(made, key);
	if (len && *text == '-') {
		tr2_buf_byte(&made->text, '-');
		text++, len--;
	}
	while (len > 1 && *text == '0' && tr2_text_is_digit(text[1]))
		text++, len--;
	tr2_buf_add(&made->text, text, len);
	made->unsure |= len > SURE_DIGITS;
	tr2_made_value(made, kind);
}

/* The first byte is now a comma. What was written is complete, or failed. */
static void end_text(struct tr2_made *made)
{
	made->len = made->text.len;
	tr2_buf_byte(&made->text, '\n');
	if (tr2_buf_grow(&made->text, TR2_TOKENS_PADDING) ||
	    made->tokens.failed)
		tr2_memory_out();
	memset(made->text.bytes + made->text.len, 0, TR2_TOKENS_PADDING);
}

void tr2_made_end(struct tr2_made *made)
{
	tr2_made_token(made);
	tr2_buf_byte(&made->text, '}');
	tr2_made_token(made);
	end_text(made);
	made->text.bytes[0] = '{';
}

void tr2_made_copy(struct tr2_made *made, const char *text, size_t len)
{
	tr2_made_begin(made, TR2_IS_OTHER);
	made->unsure = true;
	tr2_buf_add(&made->text, text, len);
	end_text(made);
}

void tr2_made_release(struct tr2_made *made)
{
	tr2_buf_release(&made->text);
	tr2_buf_release(&made->tokens);
}
