/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cell_parse.c - a cell back from its canonical text. */
#include "cell/cell.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/params.h"

static void unescape(char *word)
{
    char *to = word;
    for (; *word; word++, to++)
        if (*word == '%' && isxdigit((unsigned char)word[1]) && isxdigit((unsigned char)word[2])) {
            *to = (char)strtol((char[]){ word[1], word[2], 0 }, NULL, 16);
            word += 2;
        } else {
            *to = *word;
        }
    *to = 0;
}

/* One blank-separated token of section `scope`; owner receives a token without '='. */
static enum status token(const char *scope, char *word, struct bag *bag, char owner[64], struct why *why)
{
    char name[64], *value = strchr(word, '=');
    if (!value && *owner)
        return why_set(why, BAD_INPUT, "cell: expected NAME=VALUE in section '%s', not '%s'", scope,
                       word);
    if (!value) {
        snprintf(owner, 64, "%s", word);
        return OK;
    }
    *value++ = 0;
    if (snprintf(name, sizeof name, "%s.%s", scope, word) >= (int)sizeof name)
        return why_set(why, BAD_INPUT, "cell: name too long near '%s'", word);
    unescape(value);
    bag_put_text(bag, name, value);
    return OK;
}

static bool known_section(const char *scope)
{
    static const char *const sections[] = { "problem", "algo", "goal", "run", "rep" };
    for (size_t k = 0; k < sizeof sections / sizeof *sections; k++)
        if (strcmp(sections[k], scope) == 0)
            return true;
    return false;
}

enum status cell_parse(const char *text, struct cell **cell, struct why *why)
{
    char problem[64] = "", algo[64] = "", rep[64] = "", none[64] = "";
    char *copy = strdup(text), *rest = copy, *part, *save = NULL;
    struct bag bag = { 0 };
    double r = 0;
    enum status s = OK;

    *cell = NULL;
    while (s == OK && (part = strsep(&rest, "|"))) {
        const char *scope = strtok_r(part, " ", &save);
        if (!scope || !known_section(scope))
            strcpy(none, "?");
        for (char *w; s == OK && scope && (w = strtok_r(NULL, " ", &save));) {
            char *owner = strcmp(scope, "problem") == 0 ? problem : strcmp(scope, "algo") == 0 ? algo
                        : strcmp(scope, "rep") == 0 ? rep : none;
            s = token(scope, w, &bag, owner, why);
        }
    }
    if (s == OK && (!*problem || !*algo || *none || (*rep && !number_parse(rep, &r)) ||
                    !(r >= 0 && r < 1e9) || r != rint(r)))
        s = why_set(why, BAD_INPUT, "cell '%s': expected "
                    "`problem NAME k=v... | algo NAME k=v... | goal k=v... | run k=v... | rep N`", text);
    if (s == OK)
        s = cell_make(problem, algo, &bag, (long)r, cell, why);
    bag_free(&bag);
    free(copy);
    return s;
}
