/* The only file that knows simdjson. */
#include "read/json/tokens.h"

#include <cstdlib>

#include "simdjson_known.h"

#if TR2_SIMDJSON_KNOWN

#include <memory>
#include <new>

#include <simdjson.h>

static_assert(TR2_TOKENS_PADDING >= simdjson::SIMDJSON_PADDING,
	      "simdjson reads further beyond the text than tokens.h says");

struct tr2_tokenizer {
	std::unique_ptr<simdjson::internal::dom_parser_implementation> stages;
	size_t room = 0;
};

/* Doubling keeps the number of allocations small while texts grow. */
static bool make_room(struct tr2_tokens *tokens, size_t len)
{
	if (!tokens->tokenizer)
		tokens->tokenizer = new (std::nothrow) tr2_tokenizer;
	if (!tokens->tokenizer)
		return false;

	struct tr2_tokenizer *tokenizer = tokens->tokenizer;
	size_t room = tokenizer->room ? tokenizer->room : 4096;

	while (room < len)
		room *= 2;
	if (room == tokenizer->room)
		return true;
	tokenizer->room = 0;
	if (simdjson::get_active_implementation()
		    ->create_dom_parser_implementation(room, 1,
						       tokenizer->stages))
		return false;
	tokenizer->room = room;
	return true;
}

extern "C" enum tr2_tokens_result tr2_tokens_find(struct tr2_tokens *tokens,
						  const char *text, size_t len)
{
	if (!make_room(tokens, len))
		return TR2_TOKENS_NO_MEMORY;

	auto &stages = *tokens->tokenizer->stages;

	if (stages.stage1(reinterpret_cast<const uint8_t *>(text), len,
			  simdjson::stage1_mode::regular))
		return TR2_TOKENS_REFUSED;
	tokens->text = text;
	tokens->len = len;
	tokens->at = stages.structural_indexes.get();
	tokens->count = stages.n_structural_indexes;
	return TR2_TOKENS_OK;
}

#else

struct tr2_tokenizer {
};

extern "C" enum tr2_tokens_result tr2_tokens_find(struct tr2_tokens *tokens,
						  const char *text, size_t len)
{
	return tr2_tokens_find_plain(tokens, text, len);
}

#endif

extern "C" void tr2_tokens_release(struct tr2_tokens *tokens)
{
	delete tokens->tokenizer;
	free(tokens->plain);
	*tokens = {};
}
