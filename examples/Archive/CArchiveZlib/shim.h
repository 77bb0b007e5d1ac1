#include <zlib.h>

/* zlib defines these functions as macros, which Swift does not import. */
static inline int czlib_deflate_gzip(z_streamp stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

static inline int czlib_inflate_gzip(z_streamp stream) { return inflateInit2(stream, 15 + 16); }
