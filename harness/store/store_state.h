/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_state.h - what the files of harness/store share; no other header includes sqlite3.h. */
#ifndef ASSAY_STORE_STATE_H
#define ASSAY_STORE_STATE_H

#include <limits.h>
#include <stdint.h>
#include <sqlite3.h>
#include "numeric/kind.h"
#include "record/record_data.h"
#include "store/store.h"

#define DAMAGE "damaged store: "
#define ADVICE "; move it away, the next run makes a new one"

#define FIELDS "r.id, r.alike, r.key, r.print, r.stamp, r.maker, r.outcome, r.seconds, r.seal, r.checksum," \
    " r.peak_bytes, r.uses, r.cell, r.fingerprint, r.message, r.data"
/* All columns of the index record_keys, so that SQLite answers without reading the records themselves. */
#define ENTRY "alike, key, print, stamp, maker, outcome, seconds, seal, id FROM records INDEXED BY record_keys"
/* HAS: does the run have the record with this id? It is enough to look at the last of the run's ranges that begins
 * at or before the id, since they do not overlap. */
#define HAS(run_, id_) "(SELECT k.last FROM run_records k WHERE k.run = " run_ " AND k.first <= " id_ \
                       " ORDER BY k.first DESC LIMIT 1) >= " id_
/* Runs are ordered by start and uuid, whatever their ids in this store. LAST_RUN: start and uuid, as one text, of
 * the latest run that has the record with this id; NULL: no run has it. */
#define NEWEST " ORDER BY started DESC, uuid DESC LIMIT "
#define LAST_RUN(id_) "(SELECT u.started || u.uuid FROM runs u WHERE " HAS("u.id", id_) NEWEST "1)"

#define SQL_LIST(X)                                                                          \
    X(BEGIN, "BEGIN IMMEDIATE")                                                              \
    X(SNAPSHOT, "BEGIN")                                                                     \
    X(COMMIT, "COMMIT")                                                                      \
    X(PUT, "INSERT OR REPLACE INTO records(id, alike, key, print, stamp, maker, outcome, seconds, seal, checksum," \
      " peak_bytes, uses, cell, fingerprint, message, data) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10," \
      " ?11, ?12, ?13, ?14, ?15, ?16)")                                                      \
    X(NEXT, "SELECT 1 + max(coalesce((SELECT max(id) FROM records), 0)," \
      " coalesce((SELECT max(last) FROM run_records), 0))")                                  \
    X(ROW, "SELECT " FIELDS " FROM records r WHERE id = ?1")                                 \
    X(ROWS, "SELECT " FIELDS " FROM records r WHERE id BETWEEN ?1 AND ?2 ORDER BY id")       \
    X(ROW_AFTER, "SELECT " FIELDS " FROM records r WHERE id > ?1 ORDER BY id LIMIT 1")       \
    X(MOST, "SELECT max(id) FROM records")                                                   \
    X(UNMATCHED, "SELECT r.id FROM records r NOT INDEXED WHERE NOT EXISTS (SELECT 1 FROM records e" \
      " INDEXED BY record_keys WHERE e.alike = r.alike AND e.key = r.key AND e.print = r.print" \
      " AND e.stamp = r.stamp AND e.seal = r.seal AND e.id = r.id) LIMIT 1")                 \
    X(ENTRIES, "SELECT " ENTRY " WHERE alike = ?1 AND key = ?2 ORDER BY print, stamp")       \
    X(ENTRY, "SELECT " ENTRY " WHERE alike = ?1 AND key = ?2 AND print = ?3 AND stamp = ?4") \
    X(LAST_RUN, "SELECT " LAST_RUN("?1"))                                                    \
    X(SECONDS, "SELECT avg(seconds) FROM (SELECT seconds FROM records INDEXED BY record_keys" \
      " WHERE alike = ?1 AND outcome IN ('ok', 'timeout') ORDER BY id DESC LIMIT 16)")       \
    X(RUN_IDENTITY, "SELECT started, uuid FROM runs WHERE id = ?1")                          \
    X(OLD_RUN, "UPDATE runs SET uuid = ?2, maker = ?3 WHERE id = ?1")                       \
    X(RUN_AFTER, "SELECT id FROM runs WHERE id > ?1 ORDER BY id LIMIT 1")                    \
    X(FIRST_MAKER, "SELECT u.maker FROM runs u WHERE " HAS("u.id", "?1") " ORDER BY u.id LIMIT 1") \
    X(RUN_MAKER, "SELECT maker FROM runs WHERE id = ?1")                                   \
    X(MAKERS, "SELECT id, host, level, blas, library FROM makers WHERE id > ?1 ORDER BY id") \
    X(MAKER, "INSERT INTO makers(id, host, level, blas, library) VALUES(?1, ?2, ?3, ?4, ?5)") \
    X(BEFORE, "SELECT first, last FROM run_records WHERE run = ?1 AND first <= ?2 ORDER BY first DESC LIMIT 1") \
    X(WITHIN, "SELECT coalesce(max(last), 0) FROM run_records WHERE run = ?1 AND first BETWEEN ?2 AND ?3") \
    X(UNLINK, "DELETE FROM run_records WHERE run = ?1 AND first BETWEEN ?2 AND ?3")          \
    X(LINK, "INSERT OR REPLACE INTO run_records(run, first, last) VALUES(?1, ?2, ?3)")       \
    X(HAS, "SELECT ?2 WHERE " HAS("?1", "?2"))                                               \
    X(PUT_STANDING, "INSERT OR REPLACE INTO standings(run, claim, line) VALUES(?1, ?2, ?3)") \
    X(RUN_INFO, "INSERT OR REPLACE INTO run_info(run, key, value) VALUES(?1, ?2, ?3)")       \
    X(RUN_OF, "SELECT id FROM runs WHERE started = ?1 AND uuid = ?2")                        \
    X(RUN_COPY, "INSERT INTO runs(ended, started, uuid, maker) VALUES(?1, ?2, ?3, ?4) RETURNING id") \
    X(RUN_LATER, "UPDATE runs SET ended = max(ended, ?1) WHERE id = ?2 RETURNING id")        \
    X(INFO_MORE, "INSERT INTO run_info(run, key, value) VALUES(?1, ?2, ?3)"                  \
      " ON CONFLICT DO UPDATE SET value = max(value, excluded.value)")                       \
    X(STANDING_MORE, "INSERT INTO standings(run, claim, line) VALUES(?1, ?2, ?3)"            \
      " ON CONFLICT DO UPDATE SET line = max(line, excluded.line)")                          \
    X(CORE, "SELECT count(*) FROM run_info WHERE key = 'core' AND value = ?1")               \
    X(MERGED_GET, "SELECT count(*) FROM merged WHERE digest = ?1")                           \
    X(MERGED_PUT, "INSERT INTO merged(digest, path, records, ended)"                         \
      " VALUES(?1, ?2, ?3, ?4)")                                                             \
    X(SEEN_GET, "SELECT high, low, result, input, id FROM seen"                              \
      " WHERE alike = ?1 AND key = ?2 AND print = ?3 AND stamp = ?4")                        \
    X(SEEN_PUT, "INSERT OR REPLACE INTO seen VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")    \
    X(MOVED_PUT, "INSERT INTO moved VALUES(?1, ?2, ?3)")                                     \
    X(MOVED_GET, "SELECT old, new, n FROM moved WHERE old <= ?2 AND"                         \
      " old >= (SELECT coalesce(max(old), 0) FROM moved WHERE old <= ?1)")                   \
    X(LAST, "SELECT id FROM runs" NEWEST "1")                                                \
    X(RUN_END, "UPDATE runs SET ended = max(started, ?2) WHERE id = ?1")

enum sql {
#define X(id, text) SQL_##id,
    SQL_LIST(X)
#undef X
    SQLS
};

/* The maker of records: a host and its kind of machine. stamp[uses]: the stamp of those of its records that depend
 * on the parts `uses` of the kind (kind.h). */
struct maker {
    char host[65];
    struct machine_kind kind;
    int64_t stamp[USES_ALL + 1];
};

struct store {
    sqlite3 *db;
    sqlite3_stmt *sql[SQLS];         /* [SQLS] the statements of SQL_LIST, prepared at first use */
    int lock;                        /* descriptor of the lock file; -1: opened for reading */
    bool sound;                      /* every entry of the index has been checked since the store was opened */
    bool old;                        /* an upgrade is reading records of schema 4, which have neither stamp nor
                                        maker */
    bool batch;                      /* a batch is open: store_put commits nothing */
    struct maker *maker;           /* [makers] those makers of the store that are in memory; the one with id 1
                                      first */
    long makers;
    long run, run_maker;            /* run: the run into which a record was put last; run_maker: the id of this
                                       run's maker; 0: none yet */
    long next;                       /* id of the next new record; 0: not known yet */
    unsigned char *data;             /* [data_room] buffer for the blob of a record that is written */
    size_t data_room;
    struct record_names_kept names;  /* blocks of names of records that were read, which later records share */
    char path[PATH_MAX];
};

/* An entry of the index. Four columns are hashes: `alike` of the cell's text without the number of the replicate,
 * `key` of the whole text, `print` of the fingerprint, `stamp` of that part of the machine's kind which the record
 * depends on. The index is sorted by them in this order, so that all replicates of a cell stand together, and all
 * records of one replicate. Key, print and stamp are the identity of a record: two records that agree in them must
 * be equal. */
struct entry {
    int64_t alike, key, print, id;
    int64_t outcome;
    double seconds;
    int64_t stamp, maker;
};

/* Returns an entry with the hashes alike, key and print of these texts; the other members are 0. fingerprint NULL:
 * print is 0. */
struct entry store_entry_of(const char *cell, const char *fingerprint);
int64_t store_alike(const char *cell);
/* Returns the stamp of a record that this kind of machine made and that depends on its parts `uses` (kind.h): a
 * hash of the libraries, and of the level and the BLAS core if they are among these parts. */
int64_t store_stamp(const struct machine_kind *k, unsigned uses);
/* Returns a hash of the whole entry, which the index keeps with the entry: where it differs, the entry is
 * damaged. */
int32_t store_seal(const struct entry *e);
/* *e <- the current row of q, whose columns are those of ENTRY. DAMAGED: the entry is. */
enum status store_entry_read(struct store *s, sqlite3_stmt *q, struct entry *e, struct why *why);

/* *r <- the current row of q, whose columns are those of FIELDS: a new record if *r is NULL, else in the memory of
 * *r. *e (may be NULL) <- its entry. DAMAGED: the row is. In all cases the caller frees *r. */
enum status store_row_read(struct store *s, sqlite3_stmt *q, struct record **r, struct entry *e,
                           struct why *why);
/* Writes a record to the store with the id, hashes and maker of e, and sets seconds and outcome of e to those of
 * the record. */
enum status store_row_write(struct store *s, const struct record *r, struct entry *e, struct why *why);
/* Makes the records with ids first..last records of this run, in addition to those that it has already. */
enum status store_add_range(struct store *s, long run, long first, long last, struct why *why);
/* *has <- does the run have the record with this id? */
enum status store_run_has(struct store *s, long run, long id, bool *has, struct why *why);
/* A hash of all that must be equal in two results of one identity. store_row_digest computes it from the current
 * row of q, whose columns are those of FIELDS. */
struct digest { int64_t high, low; };
struct digest store_row_digest(sqlite3_stmt *q);
/* Returns a maker of the store by its id; NULL: there is none. The pointer is valid until the next call. */
const struct maker *store_maker(struct store *s, long id);
/* *id <- the id of the maker with this host and kind, which is added if the store does not have it. */
enum status store_maker_add(struct store *s, const char *host, const struct machine_kind *k, long *id,
                            struct why *why);
/* *id <- an id for a new record. */
enum status store_new_id(struct store *s, int64_t *id, struct why *why);
/* Does what store_verify does, and calls each(ctx, row, entry, record) for every record by ascending id; the row
 * has the columns of FIELDS; each may be NULL. */
typedef enum status store_row_fn(void *ctx, sqlite3_stmt *q, const struct entry *e, const struct record *r,
                                 struct why *why);
enum status store_verify_rows(struct store *s, long *cells, store_row_fn *each, void *ctx, struct why *why);
/* Is there no file at `path`, or one without tables, which a process leaves that is killed right after it has
 * opened a new store? */
bool store_is_new(const char *path);
/* Is the file a store of an older schema, which opening for writing brings up to date? */
bool store_is_old(const char *path);
/* Changes the tables of schema 4 to those of schema 5; the caller has begun a transaction. */
enum status store_upgrade_4(struct store *s, struct why *why);
/* Statements that make the tables which schema 5 adds to schema 4, and the index of records. They are declared for
 * the upgrade and for a benchmark, which makes the index after it has filled a big store. */
extern const char store_tables_5[], store_index[];
/* Runs statements that have no parameters. */
enum status store_sql(struct store *s, const char *sql, struct why *why);

/* Returns the status for the error that SQLite has just returned, with its sentence in *why. */
enum status store_trouble(struct store *s, struct why *why);
/* Returns DAMAGED with a sentence in *why: the store is damaged in `what` of this cell. */
enum status store_damage(struct store *s, const char *what, const char *cell, struct why *why);
/* Returns DAMAGED with the sentence of store_damage for a record whose cell is not known. */
enum status store_damage_at(struct store *s, const char *what, long id, struct why *why);
/* Returns statement k, to whose parameters values are then bound. If it cannot be prepared it is NULL, with which
 * every function of SQLite returns an error. */
sqlite3_stmt *store_use(struct store *s, enum sql k);
/* Binds a text to parameter `at`. SQLite makes no copy, so this cannot fail; the text must live until the statement
 * has run. */
void store_bind_text(sqlite3_stmt *q, int at, const char *text);
const char *store_column_text(sqlite3_stmt *q, int at);
/* Runs a statement to its end; *id (may be NULL) <- the integer in the first column of its last row, untouched if
 * it has no row. */
enum status store_act(struct store *s, sqlite3_stmt *q, long *id, struct why *why);
/* Ends the transaction: commits if status is OK, else rolls everything back. */
enum status store_finish(struct store *s, enum status status, struct why *why);

#endif
