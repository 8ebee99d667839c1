/*
 * Stands before every C file that carries mutants. Nothing is included
 * here: the file itself says what it wants of libc.
 */
extern int tr2_mutant;
extern char *tr2_reached;

static inline void tr2_at(int mutant)
{
	if (tr2_reached)
		tr2_reached[mutant] = 1;
}
