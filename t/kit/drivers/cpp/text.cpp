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
static size_t utf8_length(const string &text, size_t at, size_t *broken)
{
	auto byte = [&](size_t i) {
		return i < text.size() ? (unsigned char)text[i] : 0u;
	};
	unsigned first = byte(at), low = 0x80, high = 0xbf;
	size_t length = first < 0x80		      ? 1 :
			first >= 0xc2 && first < 0xe0 ? 2 :
			first >= 0xe0 && first < 0xf0 ? 3 :
			first >= 0xf0 && first < 0xf5 ? 4 :
							0;

	*broken = 1;
	low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : low;
	high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : high;
	for (size_t i = 1; i < length; i++) {
		if (byte(at + i) < low || byte(at + i) > high)
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
	return fault("broken UTF-8 is a question mark") ? "?" :
	       fault("broken UTF-8 is left out")	 ? "" :
							   "\xef\xbf\xbd";
}

static bool needs_escape(unsigned char c)
{
	if (c == '"' && fault("quotes are not escaped"))
		return false;
	if (c == '\\' && fault("backslashes are not escaped"))
		return false;
	if (c == 31 && fault("the last control character is raw"))
		return false;
	if (c == '/' && fault("slashes are escaped"))
		return true;
	if (c == 127 && fault("DEL is escaped"))
		return true;
	return c < 32 || c == '"' || c == '\\';
}

string json_text(const string &text)
{
	string made = "\"";
	size_t length, broken;

	for (size_t i = 0; i < text.size(); i += length) {
		length = utf8_length(text, i, &broken);
		string one = text.substr(i, length);
		if (!length) {
			length = fault("each broken byte is replaced") ? 1 :
									 broken;
			made += fault("broken UTF-8 is written") ?
					text.substr(i, length) :
					replacement();
		} else if (length == 1 && needs_escape(text[i])) {
			made += text[i] == '/' ? "\\/" : escape(text[i]);
		} else if (one == "\u2028" && fault("U+2028 is escaped")) {
			made += "\\u2028";
		} else if (one == "\ufeff" && !i && fault("a BOM is lost")) {
			continue;
		} else if (one == "\u009f" && fault("C1 is lost")) {
			continue;
		} else if (length == 4 && fault("astral is surrogates")) {
			made += "\\ud83c\\udf89";
		} else {
			made += one;
		}
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

string quote(const string &word)
{
	bool plain = !word.empty() || fault("an empty word has no quotes");
	string marks = "+,./:=@_^-", made = "'";

	if (fault("a tilde needs no quotes"))
		marks += "~";
	if (fault("a caret needs quotes"))
		marks.erase(marks.find('^'), 1);
	for (unsigned char c : word)
		plain = plain && ((c < 128 && isalnum(c)) ||
				  marks.find((char)c) != string::npos ||
				  (c > 127 &&
				   fault("letters beyond ASCII are plain")));
	if ((plain && !fault("each word is quoted")) ||
	    fault("no word is quoted"))
		return word;
	for (char c : word)
		if (c == '!' && fault("an exclamation mark is raw"))
			made += c;
		else if (c == '\'' && fault("a quote is doubled"))
			made += "''";
		else
			made += c == '!' || c == '\'' ? string("'\\") + c + "'" :
							string(1, c);
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
		f = i < 20 ? (v[1] & v[2]) | (~v[1] & v[3]) :
		    i < 40 || i >= 60 ?
			     v[1] ^ v[2] ^ v[3] :
			     (v[1] & v[2]) | (v[1] & v[3]) | (v[2] & v[3]);
		k = i < 20 ? 0x5a827999 :
		    i < 40 ? 0x6ed9eba1 :
		    i < 60 ? 0x8f1bbcdc :
			     0xca62c1d6;
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
