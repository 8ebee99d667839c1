/*
 * redact.h - secrets inside URLs, wherever they stand.
 * SPEC: chapter redact.*
 *
 * The rule, for each `://` in a text, from left to right:
 *
 * 1. The secret begins behind the first `:` that follows the `://`. There
 *    is no secret if a `/` comes before that colon, or if a blank comes
 *    before it and `//` behind it: then it is another URL's (redact.url).
 * 2. It ends before an `@`. The first `@` behind the colon counts if no
 *    `/` comes before it: then the secret may hold anything else, blanks
 *    included, which is git's rule (redact.end). With a `/` before it, it
 *    counts if no blank comes before it: a password may hold a `/`
 *    (redact.password-slash). If it doesn't count, there is no secret.
 * 3. If more `@` follow in the same word, the last of them is the end: a
 *    password may hold an `@` (redact.password-at).
 * 4. The secret, which may be empty, becomes `<REDACTED>`, and the search
 *    goes on behind it (redact.again).
 *
 * Secret is also what follows the `=` of some names in a URL, up to a `&`,
 * `#`, `"` or a blank, if it is not empty: of `sig`, alone or behind what is
 * no letter and no digit, and of all that ends in signature, token, secret,
 * password, passwd, passphrase, credential, apikey or api_key, in any case
 * and with `-` for `_` (redact.query). A `"` or a blank ends the URL.
 *
 * A word ends at a blank: a byte up to 0x20, or 0x7f. In JSON text, a `"`
 * that is not escaped ends everything: no secret reaches beyond the string
 * that it stands in (redact.json). The scheme may be any, in any case, with
 * anything in front of it. A character may be written as an escape of JSON,
 * of JSON inside of JSON too. In a text that is not known to be JSON the `:`
 * before the `//` may not, and nothing in one that begins with `http://` or
 * `https://` (redact.escapes).
 *
 * Where git redacts, so do we, and to the same bytes unless more `@`
 * follow in that word: git stops at the first. A text without `://`, or
 * with neither `@` nor `=` behind it, is never touched; `https://host:8080/path` isn't,
 * `https://host:8080/a@b` is, since `8080/a` may be a password. Hiding too
 * much is the lesser harm.
 */
#ifndef TR2_EVENT_REDACT_H
#define TR2_EVENT_REDACT_H

struct tr2_buf;

/*
 * Quick look: could `text` hold a secret? No false negatives; cheap enough
 * for every string of every event: most take one scan for `:`.
 * Async-signal-safe.
 */
int tr2_redact_wanted(const char *text);
/* The same for text that is JSON. */
int tr2_redact_wanted_json(const char *json);

/*
 * Append `text` with each secret replaced, then a NUL. Async-signal-safe
 * in a fixed buffer. If the buffer fails, write nothing of the text: what
 * was appended is incomplete.
 */
void tr2_redact_add(struct tr2_buf *out, const char *text);

/* The same for text that is JSON, which it remains. */
void tr2_redact_add_json(struct tr2_buf *out, const char *json);

#endif
