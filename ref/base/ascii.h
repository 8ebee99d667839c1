/* ascii.h - the class of a byte, independent of the program's locale. */
#ifndef TR2_BASE_ASCII_H
#define TR2_BASE_ASCII_H

static inline int tr2_ascii_blank(int c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static inline int tr2_ascii_upper(int c)
{
	return c >= 'A' && c <= 'Z';
}

static inline int tr2_ascii_lower(int c)
{
	return c >= 'a' && c <= 'z';
}

static inline int tr2_ascii_alpha(int c)
{
	return tr2_ascii_upper(c) || tr2_ascii_lower(c);
}

static inline int tr2_ascii_digit(int c)
{
	return c >= '0' && c <= '9';
}

/* The lower-case form. */
static inline int tr2_ascii_fold(int c)
{
	return tr2_ascii_upper(c) ? c + ('a' - 'A') : c;
}

/* Are both texts equal if case is ignored? */
static inline int tr2_ascii_same_word(const char *a, const char *b)
{
	while (*a && tr2_ascii_fold(*a) == tr2_ascii_fold(*b)) {
		a++;
		b++;
	}
	return tr2_ascii_fold(*a) == tr2_ascii_fold(*b);
}

#endif
