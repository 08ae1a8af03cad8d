// Reads a recorded call: a line of `calls.jsonl` in a folder of `--faults`, or of what `arena replay --calls` writes.
#ifndef RECORDED_H
#define RECORDED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Finds the value of the first such name after a place in the text; NULL if it is missing or `null`.
static const char *value_of(const char *from, const char *name) {
    char key[32];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *found = from == NULL ? NULL : strstr(from, key);
    if (found == NULL) {
        return NULL;
    }
    found += strlen(key);
    return strncmp(found, "null", 4) == 0 ? NULL : found;
}

// Reads the number of a name that is in the call once; 0 if it is missing.
static uint64_t number_of(const char *call, const char *name) {
    const char *text = value_of(call, name);
    return text == NULL ? 0 : strtoull(text, NULL, 10);
}

#endif
