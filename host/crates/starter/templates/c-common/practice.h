// What practice_main.c calls. It is in practice.c.
#ifndef PRACTICE_H
#define PRACTICE_H

#include <stdint.h>

// The things that are counted, boards or games. It is also the name of the option.
extern const char *const unit;

// The names of the built-in rules, the default first, and NULL at the end.
extern const char *const rule_sets[];

// Plays a board or a game, and returns its result: fewer is better. Ends the program if the bot breaks the rules.
uint32_t practise(const char *rules, uint64_t seed, uint32_t number);

// Prints the results; `mean` is their mean with its error.
void print_result(const uint32_t *numbers, uint32_t count, const char *mean);

// The most bytes of an answer.
enum { ANSWER_MAX = 1024 };

// Calls the bot as in a recorded call, and writes its answer in the form of recordings.
void repeat_call(const char *call, char answer[ANSWER_MAX]);

#endif
