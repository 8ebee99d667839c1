/* text.cpp - see text.h */
#include "text.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

using std::string;

/* A row is: name, requirement, kind, and what the kind needs. */
static Words read_switch(void)
{
	const char *wanted = getenv("KIT_FAULT");
	std::ifstream file(FAULTS);
	string line, cell;

	while (wanted && std::getline(file, line)) {
		std::stringstream cells(line);
		Words row;
		while (std::getline(cells, cell, '\t'))
			row.push_back(cell);
		if (row.size() > 2 && row[0] == wanted)
			return row;
	}
	return Words();
}

static const Words &row(void)
{
	static const Words found = read_switch();

	return found;
}

bool fault(const char *name)
{
	return !row().empty() && row()[2] == "code" && row()[0] == name;
}

const Words *fault_row(const char *kind)
{
	return !row().empty() && row()[2] == kind ? &row() : nullptr;
}

/* The length of a character that begins there, or 0 and how much is broken. */
static size_t wanted_length(unsigned first)
{
	static const struct {
		unsigned below;
		size_t length;
	} kinds[] = { { 0x80, 1 }, { 0xc2, 0 }, { 0xe0, 2 },
		      { 0xf0, 3 }, { 0xf5, 4 }, { 0x100, 0 } };
	size_t i = 0;

	while (first >= kinds[i].below)
		i++;
	return kinds[i].length;
}

/* Of some first bytes the second has narrower bounds. */
static void find_bounds(unsigned first, unsigned *low, unsigned *high)
{
	*low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
	*high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
}

static size_t utf8_length(const string &text, size_t at, size_t *broken)
{
	unsigned first = (unsigned char)text[at], low, high;
	size_t length = wanted_length(first);

	*broken = 1;
	find_bounds(first, &low, &high);
	for (size_t i = 1; i < length; i++) {
		unsigned next =
			at + i < text.size() ? (unsigned char)text[at + i] : 0;
		if (next < low || next > high)
			return 0;
		*broken = i + 1;
		low = 0x80;
		high = 0xbf;
	}
	return length;
}

static string escape(unsigned char c)
{
	static const char names[] = "\bb\ff\nn\rr\tt\"\"\\\\";
	const char *name = c ? strchr(names, c) : nullptr;
	char text[8];

	if (name && !fault("escapes are long ones"))
		return string("\\") + (c < 32 ? name[1] : (char)c);
	snprintf(text, sizeof(text),
		 fault("escapes have capital digits") ? "\\u%04X" : "\\u%04x",
		 c);
	return text;
}

static string replacement(void)
{
	return fault("broken UTF-8 is a question mark") ? "?"
	       : fault("broken UTF-8 is left out")	? ""
							: "\xef\xbf\xbd";
}

static bool needs_escape(unsigned char c)
{
	static const struct {
		unsigned char c;
		const char *name;
		bool wrong;
	} odd[] = { { '"', "quotes are not escaped", false },
		    { '\\', "backslashes are not escaped", false },
		    { 31, "the last control character is raw", false },
		    { '/', "slashes are escaped", true },
		    { 127, "DEL is escaped", true } };

	for (const auto &one : odd)
		if (c == one.c && fault(one.name))
			return one.wrong;
	return c < 32 || c == '"' || c == '\\';
}

static string json_broken(const string &bytes)
{
	return fault("broken UTF-8 is written") ? bytes : replacement();
}

/* Characters that some writers treat in a way of their own. */
static string json_character(const string &one, bool first)
{
	static const struct {
		const char *character, *name, *written;
	} odd[] = { { "\u2028", "U+2028 is escaped", "\\u2028" },
		    { "\u009f", "C1 is lost", "" },
		    { "\U0001f389", "astral is surrogates",
		      "\\ud83c\\udf89" } };

	if (one.size() == 1 && needs_escape(one[0]))
		return one == "/" ? "\\/" : escape(one[0]);
	if (first && one == "\ufeff" && fault("a BOM is lost"))
		return "";
	for (const auto &row : odd)
		if (one == row.character && fault(row.name))
			return row.written;
	return one;
}

string json_text(const string &text)
{
	string made = "\"";
	size_t length, broken;

	for (size_t i = 0; i < text.size(); i += length) {
		length = utf8_length(text, i, &broken);
		if (length) {
			made += json_character(text.substr(i, length), !i);
			continue;
		}
		length =
			pick("each broken byte is replaced", (size_t)1, broken);
		made += json_broken(text.substr(i, length));
	}
	return made + "\"";
}

string json_list(const Words &words)
{
	string made;

	for (const string &word : words)
		made += (made.empty() ? "" : ",") + json_text(word);
	return "[" + made + "]";
}

static bool is_plain(unsigned char c)
{
	static const string marks = string("+,./:=@_-") +
				    pick("a caret needs quotes", "", "^") +
				    pick("a tilde needs no quotes", "~", "");

	if (c > 127)
		return fault("letters beyond ASCII are plain");
	return isalnum(c) || marks.find((char)c) != string::npos;
}

static string quote_character(char c)
{
	if (c == '!' && fault("an exclamation mark is raw"))
		return "!";
	if (c == '\'' && fault("a quote is doubled"))
		return "''";
	return c == '!' || c == '\'' ? string("'\\") + c + "'" : string(1, c);
}

string quote(const string &word)
{
	bool plain = !word.empty() || fault("an empty word has no quotes");
	string made = "'";

	for (unsigned char c : word)
		plain = plain && is_plain(c);
	plain = plain && !fault("each word is quoted");
	if (plain || fault("no word is quoted"))
		return word;
	for (char c : word)
		made += quote_character(c);
	return made + "'";
}

string quote_all(const Words &words)
{
	string made;

	for (size_t i = 0; i < words.size(); i++)
		made += (i ? fault("two blanks join words") ? "  " : " " : "") +
			quote(words[i]);
	return made;
}

string seconds(int64_t micro)
{
	char text[40];

	snprintf(text, sizeof(text), "%lld.%06lld",
		 (long long)(micro / 1000000), (long long)(micro % 1000000));
	return text;
}

string rounded(int64_t nano)
{
	if (fault("timers are cut to microseconds"))
		return seconds(nano / 1000);
	if (fault("timers have 32 bits"))
		nano &= 0xffffffff;
	return seconds((nano + 500) / 1000);
}

string cut_utf8(const string &text, size_t most)
{
	size_t broken, at = 0, length;

	if (text.size() <= most || fault("a thread's name is not cut"))
		return text;
	if (fault("a thread's name is cut inside a character"))
		return text.substr(0, most);
	for (; at < most; at += length) {
		length = utf8_length(text, at, &broken);
		length = length ? length : 1;
		if (at + length > most)
			break;
	}
	return text.substr(0, at);
}

static uint32_t turn(uint32_t x, int by)
{
	return x << by | x >> (32 - by);
}

static void sha1_block(uint32_t h[5], const unsigned char *block)
{
	uint32_t w[80], v[5], f, k, next;
	int i;

	memcpy(v, h, sizeof(v));
	for (i = 0; i < 16; i++)
		w[i] = (uint32_t)block[4 * i] << 24 | block[4 * i + 1] << 16 |
		       block[4 * i + 2] << 8 | block[4 * i + 3];
	for (; i < 80; i++)
		w[i] = turn(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
	for (i = 0; i < 80; i++) {
		f = i < 20 ? (v[1] & v[2]) | (~v[1] & v[3])
		    : i < 40 || i >= 60
			    ? v[1] ^ v[2] ^ v[3]
			    : (v[1] & v[2]) | (v[1] & v[3]) | (v[2] & v[3]);
		k = i < 20   ? 0x5a827999
		    : i < 40 ? 0x6ed9eba1
		    : i < 60 ? 0x8f1bbcdc
			     : 0xca62c1d6;
		next = turn(v[0], 5) + f + v[4] + k + w[i];
		v[4] = v[3];
		v[3] = v[2];
		v[2] = turn(v[1], 30);
		v[1] = v[0];
		v[0] = next;
	}
	for (i = 0; i < 5; i++)
		h[i] += v[i];
}

/* The first eight digits. */
string sha1_head(const string &text)
{
	uint32_t h[5] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476,
			  0xc3d2e1f0 };
	string all = text + "\x80";
	char made[9];

	all.resize((all.size() + 8 + 63) / 64 * 64, 0);
	for (int i = 0; i < 8; i++)
		all[all.size() - 1 - i] = (char)(text.size() * 8 >> 8 * i);
	for (size_t i = 0; i < all.size(); i += 64)
		sha1_block(h, (const unsigned char *)all.data() + i);
	snprintf(made, sizeof(made), "%08x", h[0]);
	return made;
}
