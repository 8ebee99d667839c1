#include "base/utf8.h"

/*
 * What a lead byte promises: the length of the character (0: it is none),
 * and the range of the second byte (it excludes overlong forms and
 * surrogates).
 */
static int lead_byte(unsigned char lead, unsigned char *low,
		     unsigned char *high)
{
	*low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
	*high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
	if (lead < 0xc2 || lead > 0xf4)
		return 0;
	if (lead < 0xe0)
		return 2;
	return lead < 0xf0 ? 3 : 4;
}

int tr2_utf8_measure(const char *text, size_t len)
{
	const unsigned char *byte = (const unsigned char *)text;
	unsigned char low, high;
	int length = lead_byte(byte[0], &low, &high);

	for (int i = 1; i < length; i++) {
		if ((size_t)i >= len || byte[i] < low || byte[i] > high)
			return -i;
		low = 0x80;
		high = 0xbf;
	}
	return length ? length : -1;
}
