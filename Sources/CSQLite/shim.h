#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H
#include <sqlite3.h>

// What Swift cannot say: SQLITE_TRANSIENT is a cast, and sqlite3_db_config() takes a variable list.

static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int byteCount) {
    return sqlite3_bind_text(statement, index, text, byteCount, SQLITE_TRANSIENT);
}

static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int byteCount) {
    return sqlite3_bind_blob(statement, index, bytes, byteCount, SQLITE_TRANSIENT);
}

/* The file's own schema may run no code, and nobody may write past SQLite's rules. */
static inline int csqlite_harden(sqlite3 *database) {
    int code = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
    return code ? code : sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}

/* With a connection's end, what it kept of the log is not copied: that is a matter of seconds on a slow disk. */
static inline int csqlite_keep_log(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/* The first bytes of the file, with zeros for those that it lacks, before SQLite itself has looked at them. By its own
   descriptor: a process that closes another one of the same file loses all its locks on it (fcntl_locking(2)). */
static inline int csqlite_read_header(sqlite3 *database, void *bytes, int byteCount) {
    sqlite3_file *file = 0;
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code) return code;
    if (!file || !file->pMethods) return SQLITE_CANTOPEN;
    code = file->pMethods->xRead(file, bytes, byteCount, 0);
    return code == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : code;
}
#endif
