/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_state.h - what the files of the store share; the only way to sqlite3.h. */
#ifndef ASSAY_STORE_STATE_H
#define ASSAY_STORE_STATE_H

#include <limits.h>
#include <sqlite3.h>
#include "store.h"

#define DAMAGED "damaged store: "
#define ADVICE "; move it away, the next run makes a new one"

#define FIELDS "r.id, r.cell, r.fingerprint, r.outcome, r.message, r.seconds, r.peak_bytes, r.checksum"
/* The latest record of a cell is the one of the latest run; records of no run are older still. */
#define LATEST_OF(cell)                                                                      \
    "(SELECT q.id FROM records q LEFT JOIN run_records k ON k.record = q.id"                 \
    " WHERE q.cell = " cell " ORDER BY k.run DESC, q.id DESC LIMIT 1)"

#define SQL_LIST(X)                                                                          \
    X(BEGIN, "BEGIN IMMEDIATE")                                                              \
    X(COMMIT, "COMMIT")                                                                      \
    X(PUT, "INSERT INTO records(cell, fingerprint, outcome, message, seconds, peak_bytes,"   \
      " checksum) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT(cell, fingerprint) DO"      \
      " UPDATE SET outcome = ?3, message = ?4, seconds = ?5, peak_bytes = ?6, checksum = ?7" \
      " RETURNING id")                                                                       \
    X(DROP_VALUES, "DELETE FROM record_values WHERE record = ?1")                            \
    X(DROP_COLUMNS, "DELETE FROM record_columns WHERE record = ?1")                          \
    X(DROP_TRACE, "DELETE FROM record_trace WHERE record = ?1")                              \
    X(ADD_VALUE, "INSERT INTO record_values(record, name, value, code) VALUES(?1, ?2, ?3, ?4)") \
    X(ADD_COLUMN, "INSERT INTO record_columns(record, position, name) VALUES(?1, ?2, ?3)")   \
    X(ADD_TRACE, "INSERT INTO record_trace(record, value) VALUES(?1, ?2)")                   \
    X(LINK, "INSERT OR IGNORE INTO run_records(run, record) VALUES(?1, ?2)")                 \
    X(LINK_KEY, "INSERT INTO run_records(run, record) SELECT ?1, id FROM records"            \
      " WHERE cell = ?2 AND fingerprint = ?3"                                            \
      " ON CONFLICT DO UPDATE SET run = run RETURNING record")                               \
    X(FIND, "SELECT " FIELDS " FROM records r WHERE cell = ?1 AND fingerprint = ?2")         \
    X(FIND_LATEST, "SELECT " FIELDS " FROM records r WHERE id = " LATEST_OF("?1"))           \
    X(SECONDS, "SELECT avg(seconds) FROM (SELECT seconds FROM records WHERE outcome IN ('ok', 'timeout')" \
               " AND cell >= ?1 || ' | rep ' AND cell < ?1 || ' | rep :'"                     \
               " ORDER BY id DESC LIMIT 16)")                                                 \
    X(VALUES, "SELECT name, value, code FROM record_values WHERE record = ?1 ORDER BY name") \
    X(COLUMNS, "SELECT name FROM record_columns WHERE record = ?1 ORDER BY position")        \
    X(TRACE, "SELECT value FROM record_trace WHERE record = ?1")                             \
    X(RUN, "INSERT INTO runs(started) VALUES(strftime('%Y-%m-%dT%H:%M:%SZ')) RETURNING id")  \
    X(LINKED, "SELECT r.id FROM records r JOIN run_records k ON k.record = r.id AND k.run = ?1" \
      " WHERE r.cell = ?2 AND r.fingerprint = ?3")                                           \
    X(PUT_STANDING, "INSERT OR REPLACE INTO standings(run, claim, line) VALUES(?1, ?2, ?3)") \
    X(RUN_INFO, "INSERT OR REPLACE INTO run_info(run, key, value) VALUES(?1, ?2, ?3)")                  \
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
    int lock;                        /* file descriptor, -1: reading */
    char path[PATH_MAX];
};

/* The sentence for what SQLite has just refused. */
enum status store_trouble(struct store *s, struct why *why);
enum status store_damage(struct store *s, const char *what, const char *cell, struct why *why);
/* A statement ready to be bound; NULL, which SQLite takes for a failing statement, on failure. */
sqlite3_stmt *store_use(struct store *s, enum sql k);
/* The texts outlive the statement's step: no copy, so that binding cannot fail. */
void store_bind_text(sqlite3_stmt *q, int at, const char *text);
void store_bind_value(sqlite3_stmt *q, int at, double v);
double store_column_value(sqlite3_stmt *q, int at);
const char *store_column_text(sqlite3_stmt *q, int at);
/* Runs a statement to its end; *id (may be NULL) <- the integer it returns, else untouched. */
enum status store_act(struct store *s, sqlite3_stmt *q, long *id, struct why *why);
enum status store_act_on(struct store *s, enum sql k, long id, struct why *why);
/* Commits if all went well so far, else takes everything back. */
enum status store_finish(struct store *s, enum status status, struct why *why);

#endif
