/* text.h - how texts are written: JSON, quotes, secrets, times, SHA-1. */
#ifndef TEXT_H
#define TEXT_H

#include <cstdint>
#include <string>
#include <vector>

using Words = std::vector<std::string>;

/* Whether the switch of this name is on: see faults.tsv. */
bool fault(const char *name);
/* One of two values: the wrong one if the switch is on. */
template <class T> T pick(const char *name, T wrong, T right)
{
	return fault(name) ? wrong : right;
}

/* The texts behind a switch of the table, if one of this kind is on. */
const Words *fault_row(const char *kind);

std::string json_text(const std::string &text);
std::string json_list(const Words &words);
std::string json_value(const std::string &text);
std::string quote(const std::string &word);
std::string quote_all(const Words &words);
std::string hide(const std::string &text);
std::string hide_json(const std::string &text);
Words hide_all(const Words &words);
bool is_json(const std::string &text);
std::string seconds(int64_t micro);
std::string rounded(int64_t nano);
std::string sha1_head(const std::string &text);
std::string cut_utf8(const std::string &text, size_t most);

#endif
