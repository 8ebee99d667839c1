/* secrets.cpp - passwords in URLs, and JSON values that hold them. */
#include "text.h"

#include <cstring>
#include <set>

using std::string;

static const size_t NONE = string::npos;

static bool is_blank(char c)
{
	return (unsigned char)c <= 32 || c == 127;
}

static bool has(const string &text, size_t from, size_t to, bool (*is)(char))
{
	for (; from < to; from++)
		if (is(text[from]))
			return true;
	return false;
}

static bool is_slash(char c)
{
	return c == '/';
}

/* Where the secret that begins there ends, or NONE. */
static size_t find_end(const string &text, size_t from)
{
	size_t at = text.find('@', from), next;

	if (at == NONE)
		return NONE;
	if (has(text, from, at, is_slash) &&
	    (has(text, from, at, is_blank) || fault("a password has no slash")))
		return NONE;
	while ((next = text.find('@', at + 1)) != NONE &&
	       !has(text, at, next, is_blank) &&
	       !fault("a password ends at the first at sign"))
		at = next;
	return at;
}

/* The secret after the "://" that ends before `from`, if there is one. */
static bool find_secret(const string &text, size_t from, size_t *begin,
			size_t *end)
{
	size_t colon = text.find(':', from);

	if (colon == NONE || has(text, from, colon, is_slash))
		return false;
	if (has(text, from, colon, is_blank) &&
	    text.compare(colon + 1, 2, "//") == 0)
		return false;
	*begin = colon + 1;
	*end = find_end(text, *begin);
	return *end != NONE &&
	       !(*end == *begin && fault("an empty password is left out"));
}

static bool ends_in(const string &text, const char *end)
{
	size_t length = strlen(end);

	return text.size() >= length &&
	       text.compare(text.size() - length, length, end) == 0;
}

/* "%70" is a 'p'. */
static string decode(const string &name)
{
	string made;

	for (size_t i = 0; i < name.size(); i++) {
		made += name[i];
		if (name[i] != '%' || i + 2 >= name.size() ||
		    !isxdigit((unsigned char)name[i + 1]) ||
		    !isxdigit((unsigned char)name[i + 2]) ||
		    fault("a name is read as it is written"))
			continue;
		made.back() = (char)stoi(name.substr(i + 1, 2), nullptr, 16);
		i += 2;
	}
	return made;
}

static bool is_secret_name(string name)
{
	static const char *const ends[] = {
		"signature",  "token",	    "secret", "password", "passwd",
		"passphrase", "credential", "apikey", "api_key"
	};
	name = decode(name);
	for (char &c : name)
		c = c == '-' ? '_' : (char)tolower((unsigned char)c);
	for (const char *end : ends)
		if (ends_in(name, end))
			return !fault(("no " + string(end)).c_str());
	size_t length = name.size();
	return ends_in(name, "sig") && !fault("no sig") &&
	       (length == 3 || !isalnum((unsigned char)name[length - 4]));
}

static bool ends_value(char c)
{
	return is_blank(c) || c == '"' || c == '&' || c == '#';
}

/* Values of names that tell secrets, between a "://" and a blank. */
static size_t value_end(const string &text, size_t at)
{
	while (at < text.size() && !ends_value(text[at]))
		at++;
	return at;
}

static bool is_name_part(char c)
{
	return isalnum((unsigned char)c) || strchr("_-%", c);
}

static string hide_query(const string &text)
{
	string made, name;
	bool inside = false;

	for (size_t i = 0; i < text.size(); i++) {
		inside = inside || text.compare(i, 3, "://") == 0;
		if (is_blank(text[i]) || text[i] == '"')
			inside = false;
		made += text[i];
		if (is_name_part(text[i])) {
			name += text[i];
			continue;
		}
		size_t end = value_end(text, i + 1);
		if (text[i] == '=' && inside && is_secret_name(name) &&
		    end > i + 1) {
			made += "<REDACTED>";
			i = end - 1;
		}
		name.clear();
	}
	return made;
}

static const char *redact_setting;
static bool is_on(void)
{
	static const bool on = [] {
		redact_setting = getenv("GIT_TRACE2_REDACT");
		string value = redact_setting ? redact_setting : "1";
		for (char &c : value)
			c = (char)tolower((unsigned char)c);
		if (value.empty())
			return fault("an empty setting redacts");
		return value != "0" && value != "false" && value != "no" &&
		       value != "off" && value != "0x0" && value != "-0" &&
		       value != "0k" && value != "00";
	}();

	return on;
}

/* A URL whose "://" ends there, for one who knows few. */
static bool is_url(const string &text, size_t at)
{
	if (at > 3 && fault("only what begins with https is a URL") &&
	    text.compare(0, 5, "https") != 0)
		return false;
	return !(fault("schemes are small") && at > 3 &&
		 isupper((unsigned char)text[at - 4]));
}

string hide(const string &text)
{
	string made, mark = pick("secrets are stars", "***", "<REDACTED>");
	size_t at = 0, from = 0, begin, end;

	if (!is_on() || fault("nothing is redacted"))
		return text;
	while ((at = text.find("://", at)) != NONE) {
		at += 3;
		if (!is_url(text, at) || !find_secret(text, at, &begin, &end))
			continue;
		made += text.substr(from, begin - from) + mark;
		at = from = end;
		if (fault("only the first secret is replaced"))
			break;
	}
	made += text.substr(from);
	return fault("queries are kept") ? made : hide_query(made);
}

Words hide_all(const Words &words)
{
	Words made;

	for (const string &word : words)
		made.push_back(fault("the last word keeps its secret") &&
					       made.size() + 1 == words.size()
				       ? word
				       : hide(word));
	return made;
}

/* JSON: whether a text is one value, and its strings without secrets. */

struct Reader {
	const string &text;
	size_t at = 0;
	bool good = true;

	void skip()
	{
		while (at < text.size() && strchr(" \t\r\n", text[at]))
			at++;
	}
	bool take(char c)
	{
		if (at >= text.size() || text[at] != c)
			return false;
		at++;
		return true;
	}
	void fail()
	{
		good = false;
	}
	void read(int depth);
	string read_string();
	unsigned read_hex();
	void read_escape(string &made);
	void read_unit(string &made);
	bool digits();
	bool fraction();
	void read_number();
	void read_object(int depth);
};

unsigned Reader::read_hex()
{
	unsigned code = 0;

	for (int i = 0; i < 4; i++, at++) {
		char c = at < text.size() ? text[at] : 'x';
		if (!isxdigit((unsigned char)c))
			return fail(), 0;
		code = code * 16 + (isdigit((unsigned char)c)
					    ? c - '0'
					    : (c | 32) - 'a' + 10);
	}
	return code;
}

string Reader::read_string()
{
	string made;

	if (!take('"'))
		return fail(), "";
	while (good && at < text.size() && text[at] != '"') {
		if ((unsigned char)text[at] < 32)
			fail();
		made += text[at];
		if (text[at++] == '\\')
			read_escape(made);
	}
	if (!take('"'))
		fail();
	return made;
}

/* One that ASCII has is the character itself, so that keys compare. */
void Reader::read_escape(string &made)
{
	char c = at < text.size() ? text[at++] : 'x';

	if (c == 'u')
		return read_unit(made);
	if (!strchr("\"\\/bfnrt", c))
		fail();
	made += c;
}

void Reader::read_unit(string &made)
{
	unsigned code = read_hex(), other = 0xdc00;
	bool first = code >= 0xd800 && code < 0xdc00;

	if (first && take('\\') && take('u'))
		other = read_hex();
	else if (first)
		fail();
	if ((code & 0xfc00) == 0xdc00 || (other & 0xfc00) != 0xdc00)
		fail();
	if (code < 128)
		made.back() = (char)code;
	else
		made += std::to_string(code) + std::to_string(other);
}

bool Reader::digits()
{
	size_t first = at;

	while (at < text.size() && isdigit((unsigned char)text[at]))
		at++;
	if (at == first)
		fail();
	return at > first;
}

/* Whether there was a fraction or an exponent. */
bool Reader::fraction()
{
	bool found = take('.');

	if (found)
		digits();
	if (!take('e') && !take('E'))
		return found;
	if (!take('+'))
		take('-');
	digits();
	return true;
}

void Reader::read_number()
{
	size_t from = at;
	bool minus = take('-');

	if (!take('0') && !digits())
		return;
	bool whole = !fraction();
	string number = text.substr(from, at - from);
	double size = strtod(number.c_str(), nullptr);
	errno = 0;
	if (whole && minus)
		strtoll(number.c_str(), nullptr, 10);
	else if (whole)
		strtoull(number.c_str(), nullptr, 10);
	if (errno || size > 1.7976931348623157e308 ||
	    size < -1.7976931348623157e308)
		fail();
}

void Reader::read_object(int depth)
{
	std::set<string> keys;

	for (skip(); good && !take('}'); skip()) {
		if (!keys.empty() && !take(','))
			return fail();
		skip();
		if (!keys.insert(read_string()).second &&
		    !fault("a key may be there twice"))
			fail();
		skip();
		if (!take(':'))
			fail();
		skip();
		read(depth + 1);
	}
}

void Reader::read(int depth)
{
	bool first = true;

	if (depth > 511)
		return fail();
	if (take('{'))
		return read_object(depth);
	if (take('[')) {
		for (skip(); good && !take(']'); skip(), first = false) {
			if (!first && !take(','))
				return fail();
			skip();
			read(depth + 1);
		}
		return;
	}
	for (const char *word : { "true", "false", "null" })
		if (text.compare(at, strlen(word), word) == 0) {
			at += strlen(word);
			return;
		}
	if (at < text.size() && text[at] == '"')
		read_string();
	else
		read_number();
}

bool is_json(const string &text)
{
	Reader reader{ text };
	bool breaks = text.find_first_of("\r\n") != NONE;

	if (fault("any value is JSON"))
		return true;
	if (json_text(text).find("\xef\xbf\xbd") != NONE &&
	    text.find("\xef\xbf\xbd") == NONE)
		return false;
	reader.skip();
	reader.read(1);
	reader.skip();
	return reader.good && reader.at == text.size() &&
	       (!breaks || fault("a value may have line breaks"));
}

string hide_json(const string &text)
{
	string made;
	size_t end;

	if (!is_json(text))
		return hide(text);
	for (size_t i = 0; i < text.size(); i = end) {
		if (text[i] != '"') {
			made += text[i];
			end = i + 1;
			continue;
		}
		for (end = i + 1; text[end] != '"'; end++)
			end += text[end] == '\\';
		made += "\"" + hide(text.substr(i + 1, end - i - 1)) + "\"";
		end++;
	}
	return made;
}

string json_value(const string &text)
{
	return is_json(text) && !fault("a value is always a string")
		       ? text
		       : json_text(text);
}
