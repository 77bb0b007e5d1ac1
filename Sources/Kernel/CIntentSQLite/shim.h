#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H
#include <sqlite3.h>

// Wrappers for declarations that Swift cannot import: SQLITE_TRANSIENT is a cast, and sqlite3_db_config() is variadic.

static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int byteCount) {
    return sqlite3_bind_text(statement, index, text, byteCount, SQLITE_TRANSIENT);
}

static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int byteCount) {
    return sqlite3_bind_blob(statement, index, bytes, byteCount, SQLITE_TRANSIENT);
}

/* Makes SQLite refuse SQL that could corrupt the file, and distrust functions in the file's schema. */
static inline int csqlite_harden(sqlite3 *database) {
    int code = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
    return code ? code : sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}

/* Prevents a checkpoint when the connection is closed, because the checkpoint could take seconds on a slow disk. */
static inline int csqlite_keep_log(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/* Reads the first bytes of the file, padded with zeros, before SQLite reads the file. Uses SQLite's descriptor, because
   closing another descriptor of the file would release all of the process's locks on it (fcntl_locking(2)). */
static inline int csqlite_read_header(sqlite3 *database, void *bytes, int byteCount) {
    sqlite3_file *file = 0;
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code) return code;
    if (!file || !file->pMethods) return SQLITE_CANTOPEN;
    code = file->pMethods->xRead(file, bytes, byteCount, 0);
    return code == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : code;
}
#endif
