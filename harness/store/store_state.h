/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_state.h - what the files of the store share; no other header includes sqlite3.h. */
#ifndef ASSAY_STORE_STATE_H
#define ASSAY_STORE_STATE_H

#include <limits.h>
#include <stdint.h>
#include <sqlite3.h>
#include "record/record_data.h"
#include "store/store.h"

#define DAMAGED "damaged store: "
#define ADVICE "; move it away, the next run makes a new one"

#define FIELDS "r.id, r.alike, r.key, r.print, r.outcome, r.seconds, r.seal, r.checksum, r.peak_bytes," \
    " r.cell, r.fingerprint, r.message, r.data"
/* All columns of the index record_keys, so that SQLite answers without reading the records themselves. */
#define ENTRY "alike, key, print, outcome, seconds, seal, id FROM records INDEXED BY record_keys"
/* Is a record one of a run? The ranges of a run do not overlap. */
#define HAS(run_, id_) "(SELECT k.last FROM run_records k WHERE k.run = " run_ " AND k.first <= " id_ \
                       " ORDER BY k.first DESC LIMIT 1) >= " id_
/* The latest run that has a record; NULL: no run has it. */
#define LAST_RUN(id_) "(SELECT u.id FROM runs u WHERE " HAS("u.id", id_) " ORDER BY u.id DESC LIMIT 1)"

#define SQL_LIST(X)                                                                          \
    X(BEGIN, "BEGIN IMMEDIATE")                                                              \
    X(SNAPSHOT, "BEGIN")                                                                     \
    X(COMMIT, "COMMIT")                                                                      \
    X(PUT, "INSERT OR REPLACE INTO records(id, alike, key, print, outcome, seconds, seal, checksum," \
      " peak_bytes, cell, fingerprint, message, data) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10," \
      " ?11, ?12, ?13)")                                                                     \
    X(NEXT, "SELECT 1 + max(coalesce((SELECT max(id) FROM records), 0)," \
      " coalesce((SELECT max(last) FROM run_records), 0))")                                  \
    X(ROW, "SELECT " FIELDS " FROM records r WHERE id = ?1")                                 \
    X(ROWS, "SELECT " FIELDS " FROM records r WHERE id BETWEEN ?1 AND ?2 ORDER BY id")       \
    X(MOST, "SELECT max(id) FROM records")                                                   \
    X(UNMATCHED, "SELECT r.id FROM records r NOT INDEXED WHERE NOT EXISTS (SELECT 1 FROM records e" \
      " INDEXED BY record_keys WHERE e.alike = r.alike AND e.key = r.key AND e.print = r.print" \
      " AND e.seal = r.seal AND e.id = r.id) LIMIT 1")                                       \
    X(ENTRIES, "SELECT " ENTRY " WHERE alike = ?1 AND key = ?2 ORDER BY print")              \
    X(LAST_RUN, "SELECT " LAST_RUN("?1"))                                                    \
    X(SECONDS, "SELECT avg(seconds) FROM (SELECT seconds FROM records INDEXED BY record_keys" \
      " WHERE alike = ?1 AND outcome IN ('ok', 'timeout') ORDER BY id DESC LIMIT 16)")       \
    X(RUN, "INSERT INTO runs(started) VALUES(strftime('%Y-%m-%dT%H:%M:%SZ')) RETURNING id")  \
    X(BEFORE, "SELECT first, last FROM run_records WHERE run = ?1 AND first <= ?2 ORDER BY first DESC LIMIT 1") \
    X(WITHIN, "SELECT coalesce(max(last), 0) FROM run_records WHERE run = ?1 AND first BETWEEN ?2 AND ?3") \
    X(UNLINK, "DELETE FROM run_records WHERE run = ?1 AND first BETWEEN ?2 AND ?3")          \
    X(LINK, "INSERT OR REPLACE INTO run_records(run, first, last) VALUES(?1, ?2, ?3)")       \
    X(HAS, "SELECT ?2 WHERE " HAS("?1", "?2"))                                               \
    X(PUT_STANDING, "INSERT OR REPLACE INTO standings(run, claim, line) VALUES(?1, ?2, ?3)") \
    X(RUN_INFO, "INSERT OR REPLACE INTO run_info(run, key, value) VALUES(?1, ?2, ?3)")       \
    X(LAST, "SELECT coalesce(max(id), 0) FROM runs")                                         \
    X(RUN_END, "UPDATE runs SET ended = strftime('%Y-%m-%dT%H:%M:%SZ') WHERE id = ?1")

enum sql {
#define X(id, text) SQL_##id,
    SQL_LIST(X)
#undef X
    SQLS
};

struct store {
    sqlite3 *db;
    sqlite3_stmt *sql[SQLS];         /* prepared at the first use */
    int lock;                        /* descriptor of the lock file; -1: opened for reading */
    bool sound;                      /* every entry of the index has been checked */
    long next;                       /* id of the next new record; 0: not known yet */
    unsigned char *data;             /* buffer for the blob of the record that is put */
    size_t data_room;
    struct record_names_kept names;  /* blocks of names of the records that were read */
    char path[PATH_MAX];
};

/* An entry of the index. Three columns are hashes: `alike` of the cell's text without the number of the
 * replicate, `key` of the whole text, `print` of the fingerprint. In this order all replicates of a cell stand
 * together, and all records of a replicate. */
struct entry {
    int64_t alike, key, print, id;
    int64_t outcome;
    double seconds;
};

/* The hashes of an entry; id, outcome and seconds are not set. fingerprint NULL: print is 0. */
struct entry store_entry_of(const char *cell, const char *fingerprint);
int64_t store_alike(const char *cell);
/* A hash of the whole entry, which the index keeps beside it: an entry of another hash is damaged. */
int32_t store_seal(const struct entry *e);
/* *e <- the current row of q, whose columns are those of ENTRY. IO_ERROR: damage. */
enum status store_entry_read(struct store *s, sqlite3_stmt *q, struct entry *e, struct why *why);

/* *r <- the current row of q, whose columns are those of FIELDS: a new record if *r is NULL, else the same
 * memory. *e (may be NULL) <- its entry. IO_ERROR: damage; *r, if not NULL, is still to be freed. */
enum status store_row_read(struct store *s, sqlite3_stmt *q, struct record **r, struct entry *e,
                           struct why *why);
/* Writes a record with the id e->id, and sets seconds and outcome of e. */
enum status store_row_write(struct store *s, const struct record *r, struct entry *e, struct why *why);
/* Makes the records with ids first..last records of this run, too. */
enum status store_add_range(struct store *s, long run, long first, long last, struct why *why);
/* The statement that makes the index; a benchmark fills a big store without it first. */
extern const char store_index[];
/* Runs statements that need no values. */
enum status store_sql(struct store *s, const char *sql, struct why *why);

/* Writes the sentence for the error that SQLite has just returned. */
enum status store_trouble(struct store *s, struct why *why);
enum status store_damage(struct store *s, const char *what, const char *cell, struct why *why);
/* The same for a record whose cell is not known. */
enum status store_damage_at(struct store *s, const char *what, long id, struct why *why);
/* A statement, ready for its values. On failure it is NULL, which every function of SQLite takes for a failing
 * statement. */
sqlite3_stmt *store_use(struct store *s, enum sql k);
/* SQLite makes no copy, so binding cannot fail; the text must live until the statement has run. */
void store_bind_text(sqlite3_stmt *q, int at, const char *text);
const char *store_column_text(sqlite3_stmt *q, int at);
/* Runs a statement to its end; *id (may be NULL) <- the integer that it returns, untouched if there is none. */
enum status store_act(struct store *s, sqlite3_stmt *q, long *id, struct why *why);
/* Ends the transaction: commits if status is OK, else rolls everything back. */
enum status store_finish(struct store *s, enum status status, struct why *why);

#endif
