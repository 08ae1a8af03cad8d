// Reads a recorded call for the tests: `view.json` in a folder of `--faults`, or what `arena replay --view` writes.
#ifndef RECORDED_H
#define RECORDED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The text of the call.
static char recorded[1 << 16];

// Reads the text; false, with a message, if it cannot be read.
static bool read_recorded(const char *path) {
    FILE *file = fopen(path, "r");
    size_t length = file == NULL ? 0 : fread(recorded, 1, sizeof recorded - 1, file);
    if (file != NULL) {
        fclose(file);
    }
    if (length == 0) {
        fprintf(stderr, "cannot read %s\n", path);
    }
    return length > 0;
}

// Finds the value of the first such name after a place in the text; NULL if it is missing or `null`.
static const char *value_of(const char *from, const char *name) {
    char key[32];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *found = from == NULL ? NULL : strstr(from, key);
    if (found == NULL) {
        return NULL;
    }
    found += strlen(key);
    found += strspn(found, " ");
    return strncmp(found, "null", 4) == 0 ? NULL : found;
}

// Reads the number of a name that is in the text once; 0 if it is missing.
static uint64_t number_of(const char *name) {
    const char *text = value_of(recorded, name);
    return text == NULL ? 0 : strtoull(text, NULL, 10);
}

#endif
