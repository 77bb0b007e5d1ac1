#ifndef CJOSE_SHIM_H
#define CJOSE_SHIM_H
#include <cjose/cjose.h>
#include <stdbool.h>
#include <string.h>

/* Returns true if the signature of a token in compact form (RFC 7515) was made with this algorithm and this key, a JWK
 * (RFC 7517). A token is not checked if its header names another algorithm. */
static inline bool cjose_is_signed(
    const char *_Nonnull token, size_t tokenCount, const char *_Nonnull algorithm, const char *_Nonnull key,
    size_t keyCount) {
    bool isSigned = false;
    cjose_jws_t *jws = cjose_jws_import(token, tokenCount, NULL);
    cjose_jwk_t *jwk = jws ? cjose_jwk_import(key, keyCount, NULL) : NULL;
    if (jwk) {
        cjose_header_t *header = cjose_jws_get_protected(jws);
        const char *named = header ? cjose_header_get(header, "alg", NULL) : NULL;
        isSigned = named && strcmp(named, algorithm) == 0 && cjose_jws_verify(jws, jwk, NULL);
        cjose_jwk_release(jwk);
    }
    cjose_jws_release(jws);
    return isSigned;
}
#endif
