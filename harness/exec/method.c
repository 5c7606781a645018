/* SPDX-License-Identifier: GPL-3.0-or-later */
/* method.c - a program as a method: its declaration, and the questions that it asks during a run. The file is long
 * because both parts work on struct exec_method, which no other file needs to see. */
#include "exec/method.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wordexp.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "cell/registry.h"
#include "exec/client.h"
#include "exec/method_internal.h"
#include "oracle/oracle_state.h"

enum { PARAMS_MAX = 24, FILES_MAX = 256, WORDS_MAX = 64, TICKETS = 1024, POINTS_MAX = 64, SITES_MAX = 16, LOOKS = 5 };
/* The oracle's calls that a program may ask for. */
enum { CALLS = CALL_VALUE | CALL_GRAD | CALL_SAMPLES | CALL_SAMPLE_VALUES | CALL_PROX | CALL_NOISE };
/* A cell may take this many times its seconds in real time: less than the pool grants it, which would end this process. */
enum { REAL_TIMES = 9 };
/* Bytes of a declaration; seconds for it, and for the last answer of a run that was stopped. */
enum { HELLO_MOST = 1 << 20, HELLO_SECONDS = 60, STOP_SECONDS = 5 };

struct site { char name[80]; };

struct exec_method {
    char name[64];
    char *argv[WORDS_MAX];
    char doc[200], cite[200];
    bool forks;                      /* a program runs many cells, each in a process of its own making */
    bool shares;                     /* its long vectors stand in shared memory */
    bool aside;                      /* it has noise or data of its own, which the harness does not see */
    pid_t checked;                   /* the process that has run a cell of it twice */
    struct param param[PARAMS_MAX + 2];
    char words[PARAMS_MAX][5][160];  /* of a parameter: name, default, choices, unit, doc */
    unsigned long facts;             /* that it is told */
    struct site site[SITES_MAX];
    int sites;
    struct algo algo;
    struct client client;
};

/* What `tune` keeps for the run: the parameters of the table, each eight bytes, stand in front. */
struct exec_params {
    const char *method;              /* the name, which is the default of the first parameter */
    union { double real; long count; const char *word; } value[PARAMS_MAX];
    struct facts facts;
    struct goal goal;
};

static struct exec_method *methods[METHODS_MAX];
static int count;
static double most_seconds = INFINITY, until = INFINITY, used_seconds;   /* until: of client_now */
static size_t most_memory;

static struct exec_method *method_named(const char *name)
{
    for (int k = 0; k < count; k++)
        if (strcmp(methods[k]->name, name) == 0)
            return methods[k];
    return NULL;
}

static struct exec_method *method_of(const struct algo *a)
{
    for (int k = 0; a && k < count; k++)
        if (a == &methods[k]->algo)
            return methods[k];
    return NULL;
}

bool method_not_audited(const struct algo *a)
{
    const struct exec_method *m = method_of(a);
    return m && m->aside;
}

bool method_runs_twice(const struct algo *a, uint64_t seed)
{
    struct exec_method *m = method_of(a);
    if (!m)
        return false;
    bool first = m->checked != getpid();
    m->checked = getpid();
    return first || seed % 50 == 0;
}

void method_limits(double seconds, size_t memory)
{
    most_seconds = seconds > 0 ? seconds : INFINITY;
    until = client_now() + REAL_TIMES * most_seconds;
    most_memory = memory;
}

double method_seconds(void)
{
    double seconds = used_seconds;
    used_seconds = 0;
    return seconds;
}

void method_stop_all(void)
{
    for (int k = 0; k < count; k++)
        client_stop(&methods[k]->client);
}

/* --- the declaration */

/* Splits PROGRAM ARGS as a shell would, without running anything; words that name files become absolute. */
static enum status split(struct exec_method *m, const char *text, struct why *why)
{
    wordexp_t w;
    if (wordexp(text, &w, WRDE_NOCMD | WRDE_UNDEF) != 0 || !w.we_wordc || w.we_wordc >= WORDS_MAX)
        return why_set(why, BAD_INPUT, "--method %.60s: exec:%.100s: expected PROGRAM ARGS, quoted as in a shell", m->name,
                       text);
    for (size_t k = 0; k < w.we_wordc; k++) {
        char *whole = access(w.we_wordv[k], F_OK) == 0 && (k || strchr(w.we_wordv[k], '/'))
                    ? realpath(w.we_wordv[k], NULL) : NULL;
        m->argv[k] = whole ? whole : strdup(w.we_wordv[k]);
        BUG_IF(!m->argv[k]);
    }
    wordfree(&w);
    return OK;
}

static bool good_word(const char *s, const char *letters) { return *s && strspn(s, letters) == strlen(s); }

#define LETTERS "abcdefghijklmnopqrstuvwxyz0123456789_"

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
    if (in->bad || type > 2 || !good_word(word[0], "ABCDEFGHIJKLMNOPQRSTUVWXYZ" LETTERS) || strcmp(word[0], "program") == 0)
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
            why_set(why, BAD_INPUT, "--method %.60s: it reads a constant '%.30s', expected one of `assay list facts`", m->name,
                    name);
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

/* The hash of all that the method consists of: command line, declaration, and the files that either names, by their last
 * names, so that a copy of them elsewhere is the same method. declared: the declaration up to its files. */
static enum status hash_method(const struct exec_method *m, const struct wire_in *declared, char (*file)[4096],
                               uint32_t files, char hash[33], struct why *why)
{
    XXH3_state_t h;
    uint32_t version = WIRE_VERSION;
    struct stat info;
    XXH3_128bits_reset(&h);
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
    return why_set(why, BAD_INPUT, "--method %.60s: what it declares is not complete: %s (docs/methods.md)", m->name, what);
}

/* Reads what the program declares into m->algo, but for the functions; hash <- of all that it consists of. */
static enum status read_hello(struct exec_method *m, struct wire_in in, char hash[33], struct why *why)
{
    uint32_t version = wire_get_u32(&in);
    if (version != WIRE_VERSION)
        return why_set(why, BAD_INPUT, "--method %.60s: it speaks version %u of the protocol, expected %d", m->name, version,
                       WIRE_VERSION);
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
    m->param[0] = (struct param){ .name = "program", .type = PARAM_TEXT, .offset = offsetof(struct exec_params, method),
                                  .text = m->name, .choices = m->name, .unit = "", .doc = "the program of --method" };
    for (uint32_t k = 0; k < params; k++)
        if (!read_param(m, (int)k, &in))
            return bad_hello(m, "a parameter", why);
    struct wire_in declared = in;
    uint32_t files = wire_get_u32(&in);
    char (*file)[4096] = files <= FILES_MAX ? calloc(files + 1, sizeof *file) : NULL;
    if (!file)
        return bad_hello(m, "more than 256 files", why);
    for (uint32_t k = 0; k < files; k++)
        wire_get_text(&in, sizeof *file, file[k]);
    enum status s = wire_whole(&in) ? hash_method(m, &declared, file, files, hash, why) : bad_hello(m, "files", why);
    free(file);
    m->algo = (struct algo){ .name = m->name, .doc = m->doc, .cite = *m->cite ? m->cite : "a program of its user",
                             .calls = calls, .assumes = assumes, .may_read = m->facts,
                             .adjacency = m->aside ? ADJACENCY_NONE : (enum adjacency)adjacency,
                             .params = m->param, .params_size = sizeof(struct exec_params), .random_counts = true };
    return s;
}

static enum status say_hello(struct exec_method *m, struct why *why)
{
    struct wire_out w = { 0 };
    wire_begin(&w, SAY_HELLO);
    wire_u32(&w, WIRE_VERSION);
    wire_end(&w);
    enum status s = client_send(&m->client, &w, why);
    wire_free(&w);
    return s;
}

/* Starts it and reads its declaration. Its first message says which process it is, see client.c. */
static enum status start_program(struct exec_method *m, struct wire_in *in, struct why *why)
{
    uint32_t kind = 0;
    TRY(client_start(&m->client, m->argv, most_memory, why));
    client_limits(&m->client, INFINITY, HELLO_SECONDS);
    TRY(say_hello(m, why));
    TRY(client_receive(&m->client, 4, &kind, in, why));
    m->client.pid = (pid_t)wire_get_u32(in);
    TRY(client_receive(&m->client, HELLO_MOST, &kind, in, why));
    return kind == ASK_HELLO ? OK : why_set(why, IO_ERROR, "its first message is of kind %u, expected %d, what it declares",
                                            kind, ASK_HELLO);
}

/* --- a run */

struct run {
    struct exec_method *m;
    struct client *c;                /* of m */
    struct oracle *o;
    const struct exec_params *p;
    struct wire_in in;
    struct wire_out out;
    double *x, *g;                   /* [room][d] each: points, and gradients there */
    long d, room;
    struct ticket ticket[TICKETS];   /* the latest, by number */
    uint32_t tickets;
    bool stopped;                    /* a question was refused: only the answer may follow */
    double *mark;                    /* [d] the last mark; before it the start */
    struct why why;                  /* of what ends the run */
};

static enum status broken(struct run *r, const char *what)
{
    return why_set(&r->why, IO_ERROR, "%s", what);
}

static const struct ticket *ticket_of(struct run *r, uint32_t number)
{
    return number < r->tickets && r->tickets - number <= TICKETS ? &r->ticket[number % TICKETS] : NULL;
}

static void make_room(struct run *r, long m)
{
    if (m <= r->room)
        return;
    r->room = m;
    r->x = reallocarray(r->x, (size_t)(m * r->d), sizeof *r->x);
    r->g = reallocarray(r->g, (size_t)(m * r->d), sizeof *r->g);
    BUG_IF(!r->x || !r->g);
}

/* m points of a message. */
static bool points(struct run *r, uint32_t *m)
{
    *m = wire_get_u32(&r->in);
    r->in.points = *m <= POINTS_MAX ? (long)*m : 1;
    make_room(r, *m <= POINTS_MAX ? *m : 1);
    for (uint32_t k = 0; k < *m && *m <= POINTS_MAX; k++)
        wire_get_vec(&r->in, r->d, r->x + (long)k * r->d);
    return *m >= 1 && *m <= POINTS_MAX && wire_whole(&r->in);
}

static bool all_finite(long d, const double *x)
{
    for (long k = 0; k < d; k++)
        if (!isfinite(x[k]))
            return false;
    return true;
}

static enum status values(struct run *r, bool *stop)
{
    uint32_t m;
    double f[POINTS_MAX];
    if (!points(r, &m))
        return broken(r, "value: expected points");
    for (uint32_t k = 0; k < m && !*stop; k++)
        *stop = !oracle_value(r->o, r->x + (long)k * r->d, &f[k]);
    wire_vec(&r->out, *stop ? 0 : (long)m, f);
    return OK;
}

static enum status gradients(struct run *r, bool *stop)
{
    uint32_t m;
    if (!points(r, &m))
        return broken(r, "gradient: expected points");
    for (uint32_t k = 0; k < m && !*stop; k++)
        *stop = !oracle_grad(r->o, r->x + (long)k * r->d, r->g + (long)k * r->d);
    r->out.points = (long)m;
    for (uint32_t k = 0; k < m && !*stop; k++)
        wire_vec(&r->out, r->d, r->g + (long)k * r->d);
    return OK;
}

static enum status batch(struct run *r, bool *stop)
{
    enum { TAKE, DRAW, ALL, POISSON, SUBSET, SHUFFLE };
    struct ticket t;
    uint32_t scheme = wire_get_u32(&r->in);
    double b = wire_get_f64(&r->in);
    bool whole = b >= 1 && b <= 0x1p52 && b == rint(b), records = r->o->stored;
    if (!wire_whole(&r->in) || scheme > SHUFFLE || (scheme == POISSON ? !(b >= 0 && b <= 1) : scheme != ALL &&
        scheme != SHUFFLE && !whole))
        return broken(r, "batch: expected a scheme, and a whole number of samples or a rate");
    if (scheme >= ALL && !records)
        return broken(r, "batch: this problem has no records, expected fresh or independent samples");
    if (scheme == SUBSET && b > r->o->facts->n)
        return broken(r, "batch: more different records than there are");
    *stop = !(scheme == TAKE ? oracle_take(r->o, (long)b, &t) : scheme == DRAW ? oracle_draw(r->o, (long)b, &t)
            : scheme == ALL ? oracle_all(r->o, &t) : scheme == POISSON ? oracle_poisson(r->o, b, &t)
            : scheme == SUBSET ? oracle_subset(r->o, (long)b, &t) : oracle_shuffle(r->o, &t));
    if (*stop)
        return OK;
    r->ticket[r->tickets % TICKETS] = t;
    wire_u32(&r->out, r->tickets++);
    wire_f64(&r->out, scheme == POISSON ? NAN : (double)t.count);        /* the size of a Poisson sample is secret */
    return OK;
}

static enum status sample_value(struct run *r, bool *stop)
{
    const struct ticket *t = ticket_of(r, wire_get_u32(&r->in));
    double f = 0;
    wire_get_vec(&r->in, r->d, r->x);
    if (!wire_whole(&r->in) || !t)
        return broken(r, "sample value: expected one of the last 1024 batches, and a point");
    *stop = !oracle_values(r->o, t, NULL, r->x, &f);
    wire_f64(&r->out, f);
    return OK;
}

static enum status sample_gradient(struct run *r, bool *stop)
{
    const struct ticket *t = ticket_of(r, wire_get_u32(&r->in));
    double C = wire_get_f64(&r->in);
    const double *x = r->x;
    wire_get_vec(&r->in, r->d, r->x);
    if (!wire_whole(&r->in) || !t || !(C >= 0))
        return broken(r, "sample gradient: expected one of the last 1024 batches, a norm and a point");
    *stop = !oracle_batch(r->o, &(struct batch){ .ticket = t, .points = 1, .x = &x, .g = r->g, .C = C,
                                                 .clip = isfinite(C) ? CLIP_NORM : CLIP_NONE });
    if (!*stop)
        wire_vec(&r->out, r->d, r->g);
    return OK;
}

static enum status prox(struct run *r)
{
    double t = wire_get_f64(&r->in);
    wire_get_vec(&r->in, r->d, r->x);
    if (!wire_whole(&r->in) || !(t > 0 && t < INFINITY))
        return broken(r, "prox: expected t > 0 and a point");
    oracle_prox(r->o, t, r->x, r->g);
    wire_vec(&r->out, r->d, r->g);
    return OK;
}

static enum status project(struct run *r)
{
    wire_get_vec(&r->in, r->d, r->x);
    if (!wire_whole(&r->in))
        return broken(r, "project: expected a point");
    oracle_project(r->o, 0, r->x);
    wire_vec(&r->out, r->d, r->x);
    return OK;
}

/* The ledger keeps the name of the place where noise is added as long as the run's record is made. */
static const char *site_of(struct exec_method *m, const char *name)
{
    for (int k = 0; k < m->sites; k++)
        if (strcmp(m->site[k].name, name) == 0)
            return m->site[k].name;
    if (m->sites == SITES_MAX)
        return NULL;
    snprintf(m->site[m->sites].name, sizeof m->site->name, "%s", name);
    return m->site[m->sites++].name;
}

static enum status release(struct run *r)
{
    enum { GAUSS, LAPLACE };
    char name[64];
    wire_get_text(&r->in, sizeof name, name);
    uint32_t law = wire_get_u32(&r->in), norm = wire_get_u32(&r->in);
    double sensitivity = wire_get_f64(&r->in), scale = wire_get_f64(&r->in);
    uint32_t number = wire_get_u32(&r->in);
    const struct ticket *t = number == UINT32_MAX ? NULL : ticket_of(r, number);
    wire_get_vec(&r->in, r->d, r->x);
    if (!wire_whole(&r->in) || law > LAPLACE || norm > NORM_INF || !(sensitivity > 0 && sensitivity < INFINITY) ||
        !(scale >= 0 && scale < INFINITY) ||
        (!t && number != UINT32_MAX) || !good_word(name, "-." LETTERS))
        return broken(r, "release: expected a name, a law, a norm, a sensitivity, a scale, a batch and a vector");
    const char *site = site_of(r->m, name);
    if (!site)
        return broken(r, "release: more than 16 names of releases");
    const struct release q = { .site = site, .norm = (enum norm)norm, .sensitivity = sensitivity, .ticket = t };
    if (law == GAUSS)
        noise_gaussian(r->o, &q, scale, r->d, r->x);
    else
        noise_laplace(r->o, &q, scale, r->d, r->x);
    wire_vec(&r->out, r->d, r->x);
    return OK;
}

static enum status mark(struct run *r)
{
    wire_get_vec(&r->in, r->d, r->x);
    if (!wire_whole(&r->in))
        return broken(r, "mark: expected a point");
    oracle_mark(r->o, r->x);
    vec_copy(r->d, r->x, r->mark);
    return OK;
}

static enum status depth(struct run *r)
{
    double v = wire_get_f64(&r->in);
    if (!wire_whole(&r->in) || !(v >= 0 && v < 0x1p53))
        return broken(r, "depth: expected a number of vector operations");
    oracle_depth(r->o, v);
    return OK;
}

static unsigned needed(uint32_t kind)
{
    switch (kind) {
    case ASK_VALUE:           return CALL_VALUE;
    case ASK_GRADIENT:        return CALL_GRAD;
    case ASK_BATCH:           return CALL_SAMPLES | CALL_SAMPLE_VALUES;
    case ASK_SAMPLE_VALUE:    return CALL_SAMPLE_VALUES;
    case ASK_SAMPLE_GRADIENT: return CALL_SAMPLES;
    case ASK_PROX:            return CALL_PROX;
    case ASK_RELEASE:         return CALL_NOISE;
    }
    return 0;
}

/* Answers one question. */
static enum status answer(struct run *r, uint32_t kind)
{
    if (r->c->in_got > r->c->in_used)
        return broken(r, "a message before the answer to its question");
    bool stop = false;
    enum status s = OK;
    unsigned calls = needed(kind);
    if (calls && !(calls & r->m->algo.calls))
        return why_set(&r->why, IO_ERROR, "it asks a question of kind %u that it has not declared", kind);
    if (r->stopped)
        return broken(r, "a question after it was told to stop");
    wire_begin(&r->out, SAY_ANSWER);
    switch (kind) {
    case ASK_VALUE:           s = values(r, &stop); break;
    case ASK_GRADIENT:        s = gradients(r, &stop); break;
    case ASK_BATCH:           s = batch(r, &stop); break;
    case ASK_SAMPLE_VALUE:    s = sample_value(r, &stop); break;
    case ASK_SAMPLE_GRADIENT: s = sample_gradient(r, &stop); break;
    case ASK_PROX:            s = prox(r); break;
    case ASK_PROJECT:         s = project(r); break;
    case ASK_RELEASE:         s = release(r); break;
    case ASK_MARK:            s = mark(r); break;
    case ASK_DEPTH:           s = depth(r); break;
    default: return why_set(&r->why, IO_ERROR, "a message of kind %u, which is no question", kind);
    }
    TRY(s);
    if (stop) {
        r->stopped = true;
        wire_begin(&r->out, SAY_STOP);
    }
    wire_end(&r->out);
    return client_send(r->c, &r->out, &r->why);
}

static void put_named(struct wire_out *w, const char *name, double v)
{
    wire_text(w, name);
    wire_f64(w, v);
}

static enum status begin(struct run *r, struct rng *rng, const double *x)
{
    struct wire_out *w = &r->out;
    uint32_t n = 0;
    wire_begin(w, SAY_BEGIN);
    wire_vec(w, r->d, x);
    wire_f64(w, oracle_radius(r->o));
    for (int k = 0; k < 4; k++)
        wire_u32(w, rng_u32(rng));
    const struct param *p = r->m->param + 1;
    while (p[n].name)
        n++;
    wire_u32(w, n);
    for (uint32_t k = 0; k < n; k++) {
        wire_text(w, p[k].name);
        wire_u32(w, p[k].type == PARAM_TEXT);
        if (p[k].type == PARAM_TEXT)
            wire_text(w, r->p->value[k].word);
        else
            wire_f64(w, p[k].type == PARAM_REAL ? r->p->value[k].real : (double)r->p->value[k].count);
    }
    n = 0;
    for (int k = 0; k < FACT_COUNT; k++)
        n += r->m->facts >> k & 1;
    wire_u32(w, n);
    for (int k = 0; k < FACT_COUNT; k++)
        if (r->m->facts >> k & 1)
            put_named(w, fact_name(k), fact_value(&r->p->facts, k));
#define X(goal, unit, doc) + 1
    wire_u32(w, 0 GOAL_LIST(X));
#undef X
#define X(member, unit, doc) put_named(w, #member, r->p->goal.member);
    GOAL_LIST(X)
#undef X
    wire_end(w);
    return client_send(r->c, w, &r->why);
}

/* The program of this process, started where it does not run, or does not survive a cell. */
static enum status ready_program(struct run *r)
{
    struct client *c = r->c;
    struct wire_in hello;
    if (c->keeper > 0 && c->owner == getpid() && r->m->forks)
        client_empty_folder(c);              /* what one cell has written there does not reach the next */
    else {
        client_stop(c);
        TRY(start_program(r->m, &hello, &r->why));
    }
    return client_has_more(c) ? broken(r, "a message before its first question was due") : OK;
}

/* Memory for long vectors, where the program shares it. */
static enum status share(struct run *r)
{
    size_t one = (size_t)r->d * sizeof(double), all = POINTS_MAX * one;
    if (!r->m->shares || POINTS_MAX * r->d <= WIRE_SHARED)
        return OK;
    size_t room = all < WIRE_SHARED_BYTES ? all : one > WIRE_SHARED_BYTES ? one : WIRE_SHARED_BYTES;
    TRY(client_share(r->c, room, &r->why));
    r->out.shared = r->c->shared;
    r->out.shared_room = r->c->shared_room;
    return OK;
}

/* The process of the cell, which must be of the program's group. */
static enum status process_of_cell(struct run *r)
{
    pid_t pid = (pid_t)wire_get_u32(&r->in), group = pid > 0 ? getpgid(pid) : -1;
    if (!wire_whole(&r->in) || (group >= 0 && group != r->c->pid))
        return broken(r, "ready: expected a process that it has forked");
    r->c->runs = pid;
    return OK;
}

/* x[d] <- the answer. No numbers stand for the last mark. */
static enum status end(struct run *r, double *x)
{
    struct wire_in in = r->in;
    if (wire_get_u32(&in) == 0 && wire_whole(&in)) {
        vec_copy(r->d, r->mark, x);
        return OK;
    }
    wire_get_vec(&r->in, r->d, r->x);
    if (!wire_whole(&r->in))
        return broken(r, "its answer has not as many numbers as a point");
    if (!all_finite(r->d, r->x))
        return broken(r, "its answer is not finite");
    vec_copy(r->d, r->x, x);
    return OK;
}

static enum status give_up(struct run *r)
{
    char words[200];
    wire_get_text(&r->in, sizeof words, words);
    for (char *at = words; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 127)
            *at = '?';
    return why_set(&r->why, REFUSED, "%s", *words ? words : "it gives up without a reason");
}

/* Answers questions until the answer has come. */
static enum status serve(struct run *r, double *x)
{
    size_t most = 4096 + 8 * (size_t)(r->d + 8) * POINTS_MAX;
    for (;;) {
        uint32_t kind = 0;
        TRY(client_receive(r->c, most, &kind, &r->in, &r->why));
        if (kind == ASK_END)
            return end(r, x);
        if (kind == ASK_FAIL)
            return give_up(r);
        bool stopped = r->stopped;
        TRY(kind == ASK_READY ? process_of_cell(r) : answer(r, kind));
        if (r->stopped && !stopped)
            client_hurry(r->c, STOP_SECONDS);
    }
}

static enum status converse(struct run *r, struct rng *rng, double *x)
{
    uint32_t kind = 0;
    TRY(ready_program(r));
    TRY(share(r));
    r->c->runs = 0;
    client_limits(r->c, most_seconds, fmax(until - client_now(), 0));
    double before = client_seconds(r->c);
    TRY(begin(r, rng, x));
    vec_copy(r->d, x, r->mark);
    enum status s = serve(r, x);
    used_seconds += fmax(client_seconds(r->c) - before, 0);
    r->c->runs = 0;
    TRY(s);
    client_limits(r->c, INFINITY, STOP_SECONDS);
    if (!r->m->forks)
        return client_finish(r->c, &r->why);
    TRY(client_receive(r->c, 4096, &kind, &r->in, &r->why));
    return kind == ASK_IDLE && wire_whole(&r->in) ? OK : broken(r, "a message after its answer");
}

static struct run *run_new(struct exec_method *m, struct client *c, struct oracle *o, const struct exec_params *p)
{
    struct run *r = calloc(1, sizeof *r);
    BUG_IF(!r);
    *r = (struct run){ .m = m, .c = c, .o = o, .p = p, .d = oracle_dim(o) };
    r->mark = calloc((size_t)r->d, sizeof *r->mark);
    BUG_IF(!r->mark);
    make_room(r, 1);
    return r;
}

static void run_free(struct run *r)
{
    wire_free(&r->out);
    free(r->x);
    free(r->g);
    free(r->mark);
    free(r);
}

static enum status run(struct oracle *o, const void *params, struct arena *w, struct rng *rng, double *x)
{
    static char sentence[400];               /* the run's reason, which is read before the next run */
    const struct exec_params *p = params;
    struct exec_method *m = method_named(p->method);
    struct run *r = run_new(m, &m->client, o, p);
    arena_seal(w);
    enum status s = converse(r, rng, x);
    if (s != OK || !m->forks)
        client_stop(&m->client);
    if (s != OK) {
        snprintf(sentence, sizeof sentence, "%s: %.300s", m->name, r->why.text);
        oracle_refuse(o, sentence);
    }
    run_free(r);
    return s;
}

/* --- the same for processes that are no programs, and for bytes */

enum status method_read(const void *bytes, size_t n, struct why *why)
{
    struct exec_method *m = calloc(1, sizeof *m);
    char hash[33];
    BUG_IF(!m);
    strcpy(m->name, "m");
    enum status s = read_hello(m, (struct wire_in){ .at = bytes, .n = n }, hash, why);
    free(m);
    return s;
}

enum status method_answer(struct oracle *o, unsigned calls, struct client *c, double *x, struct why *why)
{
    struct exec_method *m = calloc(1, sizeof *m);
    BUG_IF(!m);
    m->algo.calls = calls;
    m->shares = c->memory >= 0;
    struct run *r = run_new(m, c, o, NULL);
    vec_copy(r->d, x, r->mark);
    client_limits(c, INFINITY, INFINITY);
    enum status s = share(r);
    if (s == OK)
        s = serve(r, x);
    *why = r->why;
    run_free(r);
    free(m);
    return s;
}

static enum status tune(const struct facts *f, const struct goal *goal, void *params, struct why *why)
{
    struct exec_params *p = params;
    p->facts = *f;
    p->goal = *goal;
    return OK;
}

/* --- loading */

enum status method_load(const char *spec, struct why *why)
{
    const char *equals = strchr(spec, '=');
    char hash[33];
    struct wire_in hello;
    size_t n = equals ? (size_t)(equals - spec) : 0;
    if (!n || n >= sizeof methods[0]->name || strncmp(equals + 1, "exec:", 5))
        return why_set(why, BAD_INPUT, "--method %.80s: expected NAME='exec:PROGRAM ARGS'", spec);
    if (count == METHODS_MAX)
        return why_set(why, BAD_INPUT, "--method %.80s: more than %d", spec, METHODS_MAX);
    struct exec_method *m = calloc(1, sizeof *m);
    BUG_IF(!m);
    snprintf(m->name, sizeof m->name, "%.*s", (int)n, spec);
    enum status s = good_word(m->name, "-" LETTERS) ? OK
                  : why_set(why, BAD_INPUT, "--method %.80s: expected a name of a-z, 0-9, - and _", spec);
    if (s == OK && (registry_algo(m->name) || registry_estimator(m->name)))
        s = why_set(why, BAD_INPUT, "--method %.60s: a method of this name exists, expected another name", m->name);
    if (s == OK)
        s = split(m, equals + 6, why);
    if (s == OK) {
        struct why reason = { "" };
        s = start_program(m, &hello, &reason);
        if (s != OK)
            why_set(why, s, "--method %.60s: %.300s", m->name, reason.text);
    }
    if (s == OK)
        s = read_hello(m, hello, hash, why);
    client_stop(&m->client);
    signal(SIGPIPE, SIG_DFL);                /* as client_start found it: no program of this process is left */
    if (s != OK) {
        free(m);
        return s == REFUSED ? BAD_INPUT : s;
    }
    m->algo.tune = tune;
    m->algo.run = run;
    methods[count++] = m;
    registry_add_algo(&m->algo, hash);
    return OK;
}
