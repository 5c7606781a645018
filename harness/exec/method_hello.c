/* SPDX-License-Identifier: GPL-3.0-or-later */
/* method_hello.c - reads what a program declares, and hashes the files that the method consists of. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "exec/method_internal.h"
#include "exec/method_state.h"

enum { FILES_MAX = 2048 };
/* The calls of the oracle that a program may ask for. */
enum { CALLS = CALL_VALUE | CALL_GRAD | CALL_SAMPLES | CALL_SAMPLE_VALUES | CALL_PROX | CALL_NOISE };

static bool read_param(struct exec_method *m, int k, struct wire_in *in)
{
    static const enum param_type types[] = { PARAM_REAL, PARAM_COUNT, PARAM_TEXT };
    char (*word)[160] = m->words[k];
    struct param *p = &m->param[k + 1];
    wire_get_text(in, 160, word[0]);
    uint32_t type = wire_get_u32(in);
    p->def = wire_get_f64(in);
    p->lo = wire_get_f64(in);
    p->hi = wire_get_f64(in);
    for (int i = 1; i < 5; i++)
        wire_get_text(in, 160, word[i]);
    if (in->bad || type > 2 || !method_word(word[0], "ABCDEFGHIJKLMNOPQRSTUVWXYZ" METHOD_LETTERS) ||
        strcmp(word[0], "program") == 0)
        return false;
    p->name = word[0];
    p->type = types[type];
    p->offset = offsetof(struct exec_params, value) + (size_t)k * 8;
    p->text = p->type == PARAM_TEXT ? word[1] : NULL;
    p->choices = p->type == PARAM_TEXT && *word[2] ? word[2] : NULL;
    p->unit = word[3];
    p->doc = word[4];
    return p->type != PARAM_TEXT || *word[1];
}

static bool read_facts(struct exec_method *m, struct wire_in *in, struct why *why)
{
    for (uint32_t n = wire_get_u32(in); n && !in->bad; n--) {
        char name[32];
        wire_get_text(in, sizeof name, name);
        int k = 0;
        while (k < FACT_COUNT && strcmp(fact_name(k), name))
            k++;
        if (in->bad || k == FACT_COUNT || k == FACT_L_j || k == FACT_M_j || k == FACT_f_star) {
            why_set(why, BAD_INPUT, "--method %.60s: it reads a constant '%.30s', "
                    "expected one of `assay list facts`", m->name, name);
            return false;
        }
        m->facts |= 1ul << k;
    }
    return true;
}

static enum status hash_file(XXH3_state_t *h, const struct exec_method *m, const char *path, struct why *why)
{
    char block[65536];
    size_t n;
    errno = 0;
    FILE *f = fopen(path, "rb");
    if (!f)
        return why_set(why, BAD_INPUT, "--method %.60s: %.200s, a file that it consists of: %s", m->name, path,
                       strerror(errno));
    const char *name = strrchr(path, '/');
    XXH3_128bits_update(h, name ? name : path, strlen(name ? name : path) + 1);
    while ((n = fread(block, 1, sizeof block, f)) > 0)
        XXH3_128bits_update(h, block, n);
    bool bad = ferror(f);
    fclose(f);
    return bad ? why_set(why, IO_ERROR, "--method %.60s: %.200s: cannot be read", m->name, path) : OK;
}

/* hash[33] <- a hash of five things: the version of the protocol, the environment in which programs are started
 * (`surroundings`), the command line, the declaration, and the files that the command line or the declaration names.
 * Only the last part of a path is hashed, so that a copy in another folder has the same hash.
 * declared: the declaration, read up to its files. */
static enum status hash_method(const struct exec_method *m, const struct wire_in *declared, char (*file)[4096],
                               uint32_t files, char hash[33], struct why *why)
{
    XXH3_state_t h;
    uint32_t version = WIRE_VERSION;
    struct stat info;
    XXH3_128bits_reset(&h);
    static const char surroundings[] = "BLAS and NumPy without AVX-512";     /* what client.c sees to */
    XXH3_128bits_update(&h, surroundings, sizeof surroundings);
    XXH3_128bits_update(&h, &version, sizeof version);
    XXH3_128bits_update(&h, declared->at, declared->next);
    for (char *const *a = m->argv; *a; a++) {
        if (**a == '/' && stat(*a, &info) == 0 && S_ISREG(info.st_mode))
            TRY(hash_file(&h, m, *a, why));
        else
            XXH3_128bits_update(&h, *a, strlen(*a) + 1);
    }
    for (uint32_t k = 0; k < files; k++)
        TRY(hash_file(&h, m, file[k], why));
    XXH128_hash_t v = XXH3_128bits_digest(&h);
    snprintf(hash, 33, "%016llx%016llx", (unsigned long long)v.high64, (unsigned long long)v.low64);
    return OK;
}

static enum status bad_hello(const struct exec_method *m, const char *what, struct why *why)
{
    return why_set(why, BAD_INPUT, "--method %.60s: what it declares is not complete: %s (docs/methods.md)",
                   m->name, what);
}

enum status method_hello(struct exec_method *m, struct wire_in in, char hash[33], struct why *why)
{
    uint32_t version = wire_get_u32(&in);
    if (version != WIRE_VERSION)
        return why_set(why, BAD_INPUT, "--method %.60s: it speaks version %u of the protocol, expected %d", m->name,
                       version, WIRE_VERSION);
    wire_get_text(&in, sizeof m->doc, m->doc);
    wire_get_text(&in, sizeof m->cite, m->cite);
    uint32_t ways = wire_get_u32(&in);
    m->forks = ways & 1;
    m->shares = ways & 2;
    m->aside = ways & 4;
    uint32_t adjacency = wire_get_u32(&in), calls = wire_get_u32(&in), assumes = wire_get_u32(&in);
    if (in.bad || !*m->doc || ways > 7 || adjacency > ADJACENCY_ADD_REMOVE || calls & ~CALLS)
        return bad_hello(m, "text, ways, adjacency, calls", why);
    if (!read_facts(m, &in, why))
        return BAD_INPUT;
    uint32_t params = wire_get_u32(&in);
    if (params > PARAMS_MAX)
        return bad_hello(m, "more than 24 parameters", why);
    m->param[0] = (struct param){ .name = "program", .type = PARAM_TEXT, .text = m->name, .choices = m->name,
                                  .offset = offsetof(struct exec_params, method), .unit = "",
                                  .doc = "the program of --method" };
    for (uint32_t k = 0; k < params; k++)
        if (!read_param(m, (int)k, &in))
            return bad_hello(m, "a parameter", why);
    struct wire_in declared = in;
    uint32_t files = wire_get_u32(&in);
    char (*file)[4096] = files <= FILES_MAX ? calloc(files + 1, sizeof *file) : NULL;
    if (!file)
        return bad_hello(m, "more than 2048 files", why);
    for (uint32_t k = 0; k < files; k++)
        wire_get_text(&in, sizeof *file, file[k]);
    enum status s = wire_whole(&in) ? hash_method(m, &declared, file, files, hash, why)
                                    : bad_hello(m, "files", why);
    free(file);
    m->algo = (struct algo){ .name = m->name, .doc = m->doc, .cite = *m->cite ? m->cite : "a program of its user",
                             .calls = calls, .assumes = assumes, .may_read = m->facts,
                             .adjacency = m->aside ? ADJACENCY_NONE : (enum adjacency)adjacency,
                             .params = m->param, .params_size = sizeof(struct exec_params), .random_counts = true };
    return s;
}
enum status method_read(const void *bytes, size_t n, struct why *why)
{
    struct exec_method *m = calloc(1, sizeof *m);
    char hash[33];
    BUG_IF(!m);
    strcpy(m->name, "m");
    enum status s = method_hello(m, (struct wire_in){ .at = bytes, .n = n }, hash, why);
    free(m);
    return s;
}
