/*
 * redact.h - replace secrets inside URLs.
 * SPEC: chapter redact.*
 *
 * The rule, for each `://` in a text, from left to right:
 *
 * 1. The secret begins after the first `:` that follows the `://`. There
 *    is no secret if a `/` comes before this colon, or if a blank comes
 *    before it and `//` follows it: then it belongs to another URL
 *    (redact.url).
 * 2. The secret ends before an `@`. The first `@` after the colon ends it
 *    if no `/` comes before this `@`: then the secret may contain anything
 *    else, even blanks, which is git's rule (redact.end). If a `/` comes
 *    before the `@`, the `@` ends the secret only if no blank comes before
 *    it: a password may contain a `/` (redact.password-slash). Otherwise
 *    there is no secret.
 * 3. If more `@` follow in the same word, the last one ends the secret: a
 *    password may contain an `@` (redact.password-at).
 * 4. The secret, which may be empty, becomes `<REDACTED>`, and the search
 *    continues after it (redact.again).
 *
 * The values of some names in a URL are secrets, too. Such a value follows a
 * `=`, ends before a `&`, `#`, `"` or blank, and is not empty. The names are
 * `sig`, alone or after a byte that is not a letter or digit, and all names
 * that end in signature, token, secret, password, passwd, passphrase,
 * credential, apikey or api_key, in upper or lower case, with `-` or `_`, and
 * with any character as `%70` (redact.query). A `"` or a blank ends the URL.
 *
 * The user of a URL becomes `<REDACTED>` if it looks like a token (token.h) and
 * an `@` follows it, or a `:` and a secret; or if the secret is
 * `x-oauth-basic` (redact.token).
 *
 * A word ends at a blank: a byte up to 0x20, or 0x7f. In JSON text, a `"`
 * that is not escaped ends everything: a secret never extends beyond its
 * string (redact.json). The scheme is arbitrary, in upper or lower case, and
 * any text may precede it. A character may be written as an escape of JSON,
 * also of JSON inside JSON. There are two exceptions for a text that is not
 * known to be JSON: the `:` before the `//` may not be escaped, and a text
 * that begins with `http://` or `https://` has no escapes (redact.escapes).
 *
 * The library redacts at least what git redacts, and writes the same bytes
 * unless the user is a token, or more `@` follow in that word: git stops at the
 * first one. It never changes a text without `://`, or with neither `@` nor `=`
 * after it. It does not change `https://host:8080/path`, but it changes
 * `https://host:8080/a@b`, because `8080/a` may be a password. To hide too much
 * is the lesser harm.
 */
#ifndef TR2_EVENT_REDACT_H
#define TR2_EVENT_REDACT_H

struct tr2_buf;

/*
 * A quick test: may `text` contain a secret? It never misses one, and is
 * cheap enough for every string of every event: most strings need one scan
 * for `:`. Async-signal-safe.
 */
int tr2_redact_wanted(const char *text);
/* The same for text that is JSON. */
int tr2_redact_wanted_json(const char *json);

/*
 * Append `text` with each secret replaced, then a NUL. Async-signal-safe if
 * the buffer is fixed. If the buffer fails, do not write any of the text: the
 * appended part is incomplete.
 */
void tr2_redact_add(struct tr2_buf *out, const char *text);

/* The same for text that is JSON; the result is JSON, too. */
void tr2_redact_add_json(struct tr2_buf *out, const char *json);

#endif
