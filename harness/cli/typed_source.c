/* SPDX-License-Identifier: GPL-3.0-or-later */
/* typed_source.c - prints a claim of the command line as the C source of a paper. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/params.h"
#include "cli/typed.h"

/* Prints a string literal. */
static void put_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++)
        fprintf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    fputc('"', out);
}

static void put_number(FILE *out, double v)
{
    char buffer[32];
    fputs(isinf(v) ? v > 0 ? "INFINITY" : "-INFINITY" : number_text(v, buffer), out);
}

/* Prints ".NAME = ", with a comma before all members of an initialiser but the first. */
static void put_name(FILE *out, bool *any, const char *name)
{
    fprintf(out, "%s.%s = ", *any ? ", " : "", name);
    *any = true;
}

static void put_member(FILE *out, bool *any, const char *name, const char *text)
{
    if (!text)
        return;
    put_name(out, any, name);
    put_text(out, text);
}

static void put_settings(FILE *out, bool *any, const struct setting *with)
{
    if (!with[0].name)
        return;
    put_name(out, any, "with");
    fputs("{ ", out);
    for (int k = 0; k < SETTINGS_MAX && with[k].name; k++) {
        fputs(k ? ", { " : "{ ", out);
        put_text(out, with[k].name);
        if (with[k].text) {
            fputs(", .text = ", out);
            put_text(out, with[k].text);
        } else {
            fputs(", ", out);
            put_number(out, with[k].value);
            if (with[k].power != 0) {
                fputs(", ", out);
                put_number(out, with[k].power);
            }
        }
        fputs(" }", out);
    }
    fputs(" }", out);
}

static void put_variant(FILE *out, const char *name, const struct variant *v)
{
    bool any = false;
    if (!variant_given(v))
        return;
    fprintf(out, "      .%s = { ", name);
    put_member(out, &any, "algo", v->algo);
    put_member(out, &any, "problem", v->problem);
    put_settings(out, &any, v->with);
    put_member(out, &any, "why", v->why);
    fputs(" },\n", out);
}

static void put_rate(FILE *out, const struct claim *c)
{
    fprintf(out, "      .law = { .form = %s, ", c->law.form == LAW_SUM ? "LAW_SUM" : "LAW_POWER");
    if (c->law.form == LAW_SUM)
        fprintf(out, ".terms = %d, .named = %d, ", c->law.terms, c->law.named);
    fputs(".exponent = { ", out);
    for (int k = 0; k < (c->law.form == LAW_SUM ? c->law.terms : 1); k++) {
        fputs(k ? ", " : "", out);
        put_number(out, c->law.exponent[k]);
    }
    fputs(" } }, .band = { ", out);
    put_number(out, c->band[0]);
    fputs(", ", out);
    put_number(out, c->band[1]);
    fputs(" },\n", out);
}

static void put_search(FILE *out, const struct search *s)
{
    if (!s->kind)
        return;
    fputs("      .search = { .kind = SEARCH_SMALLEST, .name = ", out);
    put_text(out, s->name);
    fputs(", .from = ", out);
    put_number(out, s->from);
    fputs(", .to = ", out);
    put_number(out, s->to);
    fprintf(out, ", .points = %d, .reps = %d },\n", s->points, s->reps);
}

static bool goal_has(const void *ctx, const char *name)
{
    const struct claim *c = ctx;
    for (int k = 0; k < SETTINGS_MAX && c->with[k].name; k++)
        if (strncmp(c->with[k].name, "goal.", 5) == 0 && strcmp(c->with[k].name + 5, name) == 0)
            return true;
    return false;
}

/* Prints a claim as an initialiser. formula: the name of the C function that computes the bound. */
static void put_claim(FILE *out, const struct claim *c, const char *name, const char *formula)
{
    static const char *const check[] = { [CHECK_BOUND] = "CHECK_BOUND", [CHECK_RATE] = "CHECK_RATE",
                                         [CHECK_ORDER] = "CHECK_ORDER" };
    fprintf(out, "    { .id = \"%s%s\", .item = \"V1\",\n      .cite = \"authors, journal, year, Theorem 1\",\n"
            "      .says = ", name, c->id + strlen(PAPER_TYPED));
    put_text(out, c->says);
    fprintf(out, ",\n      .kind = KIND_THEOREM, .check = %s,\n      ", check[c->check]);
    bool any = false, with = false, tests = false;
    put_member(out, &any, "algo", c->algo);
    put_member(out, &any, "problem", c->problem);
    put_member(out, &any, "axis", c->axis);
    put_member(out, &any, "measure", c->measure);
    fputs(c->with[0].name ? ",\n      " : "", out);
    put_settings(out, &with, c->with);
    fprintf(out,
            ",\n      .rounds = %d,\n      /* from, to, points, replicates: quick, nightly, full */\n      .window "
            "= { ",
            c->rounds);
    for (int k = 0; k < PROFILES; k++) {
        const struct window *w = &c->window[k];
        fputs(k ? ", { " : "{ ", out);
        put_number(out, w->from);
        fputs(", ", out);
        put_number(out, w->to);
        fprintf(out, ", %d, %d }", w->points, w->reps);
    }
    fputs(" },\n", out);
    if (c->check == CHECK_RATE)
        put_rate(out, c);
    if (c->formula)
        fprintf(out, "      .formula = %s,\n", formula);
    put_search(out, &c->search);
    put_variant(out, "than", &c->than);
    put_variant(out, "control", &c->control);
    put_variant(out, "control2", &c->control2);
    fputs("      ", out);
    put_member(out, &tests, "tests", c->tests);
    put_member(out, &tests, "tests_none", c->tests_none);
    fputs(" },\n", out);
}

static void put_row(FILE *out, const struct theorem_row *r, const char *name)
{
    fprintf(
        out,
        "    { .axis = \"%s\", .quantity = \"%s\", .claim = \"%s%s\",\n      .promise = { .text = ",
        r->axis, r->quantity, name, r->claim + strlen(PAPER_TYPED));
    put_text(out, r->promise.text);
    fputs(", .exponent = ", out);
    put_number(out, r->promise.exponent);
    fputs(" },\n", out);
    for (int k = 0; k < RIVALS_MAX && r->rivals[k].text; k++) {
        fputs(k ? ", { .text = " : "      .rivals = { { .text = ", out);
        put_text(out, r->rivals[k].text);
        fputs(", .exponent = ", out);
        put_number(out, r->rivals[k].exponent);
        fputs(" }", out);
    }
    fputs(r->rivals[0].text ? " },\n" : "", out);
    fputs("    },\n", out);
}

/* Returns the name of the C function that computes the bound of claim k. */
static struct name { char at[24]; } formula_name(const struct typed_claims *all, int k)
{
    struct name name = { "promised" };
    if (all->claims > 1)
        snprintf(name.at, sizeof name.at, "promised_%d", k + 1);
    return name;
}

static void put_formula(FILE *out, const struct typed_claim *c, const char *formula)
{
    fprintf(out, "/* %s */\nstatic double %s(const struct env *e)\n{\n    return ", c->claim->says, formula);
    promise_print(out, &c->promise, &c->names, goal_has, c->claim);
    fputs(";\n}\n\n", out);
}

void typed_source(FILE *out, const struct typed_claims *all, const char *name, const char *symbol)
{
    const char *says = all->claim->says;
    fprintf(out,
            "/* SPDX-License-Identifier: GPL-3.0-or-later */\n/* %s.c - what the paper %s promises, as data. */\n"
            "#include <math.h>\n\n#include \"claim.h\"\n\n",
            symbol, name);
    for (int k = 0; k < all->claims; k++)
        if (all->claim[k].formula)
            put_formula(out, &all->of[k], formula_name(all, k).at);
    fputs("static const struct claim claims[] = {\n", out);
    for (int k = 0; k < all->claims; k++)
        put_claim(out, &all->claim[k], name, formula_name(all, k).at);
    fputs("    { 0 }\n};\n\nstatic const struct theorem_row rows[] = {\n", out);
    for (int k = 0; k < all->claims; k++)
        put_row(out, &all->row[k], name);
    fprintf(out,
            "    { 0 }\n};\n\n"
            "static const struct theorem theorems[] = {\n    { .id = \"%s/thm1\", .cite = \"Theorem 1\", .says = ",
            name);
    put_text(out, says);
    fputs(", .rows = rows },\n    { 0 }\n};\n\n/* Every numbered statement of the paper: a claim or a test serves "
          "it, or "
          "here is the reason why\n * none does. */\nstatic const struct item items[] = {\n    { \"V1\", ",
          out);
    put_text(out, says);
    fprintf(out, ", NULL },\n    { 0 }\n};\n\nconst struct paper paper_%s = {\n    .key = \"%s\",\n"
            "    .title = \"Title of the paper\",\n    .cite = \"authors, journal, year\",\n    .claims = claims,\n"
            "    .items = items,\n    .theorems = theorems,\n};\n", symbol, name);
}
