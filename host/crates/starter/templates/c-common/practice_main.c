// The practice program: its arguments, and the comparison of two builds. `arena build --practice -- --help` prints the
// options. What is played is in practice.c. This file needs no edit.
#define _POSIX_C_SOURCE 200809L

#include "arena.h"
#include "practice.h"
#include "recorded.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The line before the numbers for another build.
static const char RESULTS[] = "practice results\n";

// The time after which progress is printed, and between two lines of it.
enum { PROGRESS_SECONDS = 5 };

// The arguments.
static const char *rules, *calls, *other;
static unsigned long long count = 200, seed = 1;
static bool is_raw;

static void usage(FILE *out) {
    fprintf(out, "usage: practice [options] [OTHER_BUILD]\n");
    fprintf(out, "  OTHER_BUILD  earlier copy of .build/practice, compared on the same %s\n", unit);
    for (int i = 0; rule_sets[1] != NULL && rule_sets[i] != NULL; i++) {
        fprintf(out, i == 0 ? "  --rules NAME built-in rules: %s" : ", %s", rule_sets[i]);
    }
    int spaces = 9 - (int)strlen(unit);
    fprintf(out, "%s  --%s N%*snumber of %s [default: 200]\n", rule_sets[1] == NULL ? "" : "\n", unit, spaces, "", unit);
    fprintf(out, "  --seed S     random seed of the %s [default: 1]\n", unit);
    fprintf(out, "  --calls FILE call the bot as in a recorded game, and print its last answer\n");
    fprintf(out, "  --raw        print only a number for each, as another build reads them\n");
}

static void refuse(const char *what, const char *problem) {
    usage(stderr);
    fprintf(stderr, "practice: %s%s\n", what, problem);
    exit(2);
}

static unsigned long long number_in(const char *name, const char *text) {
    char *end;
    unsigned long long number = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0') {
        refuse(name, " must be a whole number");
    }
    return number;
}

static void read_arguments(int argc, char **argv) {
    char count_option[16];
    snprintf(count_option, sizeof count_option, "--%s", unit);
    rules = rule_sets[0];
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i];
        if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
            usage(stdout);
            exit(0);
        } else if (strcmp(name, "--raw") == 0) {
            is_raw = true;
        } else if (name[0] != '-') {
            if (other != NULL) {
                refuse(name, ": only one other build is compared");
            }
            other = name;
        } else if (i + 1 == argc) {
            refuse(name, " is not an option, or its value is missing");
        } else if (strcmp(name, "--rules") == 0 && rule_sets[1] != NULL) {
            rules = argv[++i];
        } else if (strcmp(name, "--seed") == 0) {
            seed = number_in(name, argv[++i]);
        } else if (strcmp(name, "--calls") == 0) {
            calls = argv[++i];
        } else if (strcmp(name, count_option) == 0) {
            count = number_in(name, argv[++i]);
        } else {
            refuse(name, " is not an option");
        }
    }
    int known = 0;
    while (rule_sets[known] != NULL && strcmp(rule_sets[known], rules) != 0) {
        known++;
    }
    if (rule_sets[known] == NULL) {
        refuse(rules, ": there are no such built-in rules");
    }
    if (count < 1 || count > UINT32_MAX) {
        refuse(count_option, " must be at least 1, and less than 4294967296");
    }
}

// Writes a mean with half of its 95 % interval.
static void write_mean(char text[64], const double *numbers) {
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        sum += numbers[i];
    }
    double mean = sum / (double)count;
    for (size_t i = 0; i < count; i++) {
        squares += (numbers[i] - mean) * (numbers[i] - mean);
    }
    if (count == 1) {
        snprintf(text, 64, "%.2f ± ?", mean);
    } else {
        snprintf(text, 64, "%.2f ± %.2f", mean, 1.96 * sqrt(squares / (double)(count - 1) / (double)count));
    }
}

// Subtracts what another build needs for the same boards or games.
static void subtract_other(double *numbers) {
    char command[4096];
    if (strchr(other, '\'') != NULL) {
        refuse(other, ": a path with quotation marks is not possible");
    }
    // Without a folder in it, the path would be looked for elsewhere.
    const char *folder = strchr(other, '/') == NULL ? "./" : "";
    int length = snprintf(command, sizeof command, "'%s%s' --raw --%s %llu --seed %llu", folder, other, unit, count, seed);
    if (rule_sets[1] != NULL && length < (int)sizeof command) {
        length += snprintf(command + length, sizeof command - (size_t)length, " --rules %s", rules);
    }
    FILE *output = length < (int)sizeof command ? popen(command, "r") : NULL;
    size_t read = 0;
    unsigned number;
    while (output != NULL && fgets(command, sizeof command, output) != NULL && strcmp(command, RESULTS) != 0) {
    }
    while (output != NULL && read < count && fscanf(output, "%u", &number) == 1) {
        numbers[read++] -= number;
    }
    if (output == NULL || pclose(output) != 0 || read < count) {
        fprintf(stderr, "practice: %s is not an earlier copy of .build/practice\n", other);
        exit(2);
    }
}

// Reads a file with a zero at its end. Ends the program if that is not possible.
static char *text_of(const char *path) {
    FILE *file = fopen(path, "rb");
    size_t length = 0, room = 1 << 16;
    char *text = malloc(room);
    while (file != NULL && text != NULL && (length += fread(text + length, 1, room - length - 1, file)) == room - 1) {
        text = realloc(text, room *= 2);
    }
    if (file == NULL || text == NULL) {
        fprintf(stderr, "practice: cannot read %s\n", path);
        exit(2);
    }
    fclose(file);
    text[length] = '\0';
    return text;
}

// Calls the bot as it was called in a recorded game, and prints its last answer. Returns the exit code.
static int repeat_calls(void) {
    char *text = text_of(calls), answer[ANSWER_MAX] = "";
    for (char *call = strtok(text, "\n"); call != NULL; call = strtok(NULL, "\n")) {
        if (value_of(call, "game") == NULL || value_of(call, "seed") == NULL) {
            fprintf(stderr, "practice: %s has no recorded calls\n", calls);
            exit(2);
        }
        repeat_call(call, answer);
        const char *known = value_of(call, "answer");
        if (known != NULL && strncmp(known, answer, strlen(answer)) != 0) {
            unsigned turn = (unsigned)number_of(call, "turn");
            fprintf(stderr, "turn %u: %s, and not %.*s as recorded\n", turn, answer, (int)strlen(known) - 1, known);
        }
    }
    free(text);
    printf("%s\n", answer);
    return 0;
}

int main(int argc, char **argv) {
    read_arguments(argc, argv);
    if (calls != NULL) {
        return repeat_calls();
    }
    uint32_t *mine = malloc(count * sizeof *mine);
    double *numbers = malloc(count * sizeof *numbers);
    if (mine == NULL || numbers == NULL) {
        abort();
    }
    rng_t rng = {seed};
    time_t printed = time(NULL);
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0 && difftime(time(NULL), printed) >= PROGRESS_SECONDS) {
            printed = time(NULL);
            fprintf(stderr, "practice: %u of %llu %s\n", i, count, unit);
        }
        mine[i] = practise(rules, rng_below(&rng, UINT32_MAX), i);
        numbers[i] = mine[i];
    }
    // What the bot prints comes before this line.
    if (is_raw) {
        printf("\n%s", RESULTS);
    }
    for (uint32_t i = 0; is_raw && i < count; i++) {
        printf("%u\n", mine[i]);
    }
    char mean[64];
    write_mean(mean, numbers);
    if (!is_raw) {
        print_result(mine, (uint32_t)count, mean);
    }
    if (other != NULL) {
        subtract_other(numbers);
        write_mean(mean, numbers);
        printf("%s against %s on the same %s\n", mean, other, unit);
    }
    free(mine);
    free(numbers);
    return 0;
}
