PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
INSERT INTO meta VALUES('schema',3);
CREATE TABLE runs(id INTEGER PRIMARY KEY AUTOINCREMENT, started TEXT NOT NULL, ended TEXT NOT NULL DEFAULT '');
INSERT INTO runs VALUES(1,'2026-11-23T09:38:13Z','2026-11-23T09:38:13Z');
INSERT INTO runs VALUES(2,'2026-11-23T09:38:13Z','');
INSERT INTO runs VALUES(3,'2026-11-23T09:38:13Z','');
CREATE TABLE run_info(run INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY(run, key)) WITHOUT ROWID;
INSERT INTO run_info VALUES(1,'commit','abc');
INSERT INTO run_info VALUES(1,'cpu','any "cpu"');
INSERT INTO run_info VALUES(2,'commit','abc');
INSERT INTO run_info VALUES(2,'cpu','any "cpu"');
INSERT INTO run_info VALUES(3,'commit','abc');
INSERT INTO run_info VALUES(3,'cpu','any "cpu"');
CREATE TABLE records(id INTEGER PRIMARY KEY, cell TEXT NOT NULL, fingerprint TEXT NOT NULL, outcome TEXT NOT NULL,
    message TEXT NOT NULL, seconds, peak_bytes, checksum INTEGER NOT NULL, UNIQUE(cell, fingerprint));
INSERT INTO records VALUES(1,
'problem chain d=3 | algo gd | goal T=2 | run trace=2 | rep 0','00ff00ff','ok','',0.25,1000000.0,3942695936);
INSERT INTO records VALUES(2,
'problem chain d=3 | algo gd | goal T=2 | run trace=2 | rep 1','00ff00ff',
'crashed','it''s "broken", line 1',NULL,NULL,437771717);
INSERT INTO records VALUES(3,'bare, ''quoted'' é','','ok','',0.0,0.0,2688724134);
INSERT INTO records VALUES(4,
'problem chain d=3 | algo gd | goal T=2 | run trace=2 | rep 0','11','ok','',0.5,0.0,2601792384);
INSERT INTO records VALUES(5,'problem chain d=4 | algo gd | goal T=2 | run | rep 0','11','ok','',1.0,0.0,743296293);
INSERT INTO records VALUES(6,
'problem chain d=4 | algo gd | goal T=2 | run | rep 1','11','timeout','took too long',3.0,0.0,2095712076);
CREATE TABLE record_values(record INTEGER NOT NULL,
    name TEXT NOT NULL, value, code INTEGER NOT NULL, PRIMARY KEY(record, name)) WITHOUT ROWID;
INSERT INTO record_values VALUES(1,'count.k',7.0,0);
INSERT INTO record_values VALUES(1,'inf',NULL,2);
INSERT INTO record_values VALUES(1,'max',1.7976931348623156223e+308,0);
INSERT INTO record_values VALUES(1,'measure.excess',0.33333333333333331482,0);
INSERT INTO record_values VALUES(1,'minus',NULL,3);
INSERT INTO record_values VALUES(1,'nan',NULL,1);
INSERT INTO record_values VALUES(1,'tiny',9.9998886718268300563e-321,0);
INSERT INTO record_values VALUES(1,'whole',9007199254740992.0,0);
INSERT INTO record_values VALUES(1,'zero',-0.0,0);
INSERT INTO record_values VALUES(4,'count.k',8.0,0);
INSERT INTO record_values VALUES(5,'count.k',9.0,0);
CREATE TABLE record_columns(record INTEGER NOT NULL, position INTEGER NOT NULL,
    name TEXT NOT NULL, PRIMARY KEY(record, position)) WITHOUT ROWID;
INSERT INTO record_columns VALUES(1,0,'cost');
INSERT INTO record_columns VALUES(1,1,'excess');
INSERT INTO record_columns VALUES(5,0,'empty');
CREATE TABLE record_trace(record INTEGER PRIMARY KEY, value BLOB NOT NULL);
INSERT INTO record_trace VALUES(1,
X'000000000000f03f000000000000f87f0000000000000080000000000000f0ff2be6708b681200009a9999999999b93f');
CREATE TABLE run_records(run INTEGER NOT NULL, record INTEGER NOT NULL, PRIMARY KEY(run, record)) WITHOUT ROWID;
INSERT INTO run_records VALUES(1,1);
INSERT INTO run_records VALUES(3,1);
INSERT INTO run_records VALUES(1,2);
INSERT INTO run_records VALUES(1,3);
INSERT INTO run_records VALUES(2,3);
INSERT INTO run_records VALUES(3,3);
INSERT INTO run_records VALUES(2,4);
INSERT INTO run_records VALUES(2,5);
INSERT INTO run_records VALUES(2,6);
INSERT INTO run_records VALUES(3,6);
CREATE TABLE standings(run INTEGER NOT NULL, claim TEXT NOT NULL,
    line TEXT NOT NULL, PRIMARY KEY(run, claim)) WITHOUT ROWID;
INSERT INTO standings VALUES(2,'a/claim','a line, of standing');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('runs',3);
CREATE INDEX run_records_of ON run_records(record, run);
COMMIT;
