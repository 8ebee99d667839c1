/*
 * expect.h - `trace2 expect`: what a log must show.
 *
 *	grammar.c   an assertion: words to a struct
 *	fact.c      what the logs say, as facts that are counted
 *	judge.c     whether an assertion holds
 *	doubt.c     what a log can't decide
 *	say.c       the outcome as text, TAP, JUnit or Markdown; assertions that
 *	            hold, to start from
 *
 * A log that ends early, that was limited or that could not be read as a whole
 * proves what it shows and not what it lacks. An assertion that such a log
 * can't decide neither holds nor fails, and the command says why.
 */
#ifndef TR2_EXPECT_EXPECT_H
#define TR2_EXPECT_EXPECT_H

/* argv[0] is "expect". Returns the exit status. */
int tr2_expect_main(char **argv);

#endif
