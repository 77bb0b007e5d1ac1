#include "CIntentEgress.h"

#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <unistd.h>

/* Adds this host's roots. OpenSSL's own default is a folder of the package openssl on Debian, which a host need not have. */
static int add_roots(SSL_CTX *context) {
    static const char *const bundles[] = {"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"};
    if (!SSL_CTX_set_default_verify_paths(context)) return 0;
    if (getenv("SSL_CERT_FILE") || getenv("SSL_CERT_DIR")) return 1;
    for (size_t index = 0; index < sizeof bundles / sizeof *bundles; index++)
        if (access(bundles[index], R_OK) == 0) return SSL_CTX_load_verify_file(context, bundles[index]);
    return 1;
}

void *intentd_tls_context(void) {
    /* The head of a request is rewritten as HTTP/1. */
    static const unsigned char protocols[] = "\x08http/1.1";
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    if (!context) return NULL;
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    if (SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) && add_roots(context) &&
        !SSL_CTX_set_alpn_protos(context, protocols, sizeof protocols - 1))
        return context;
    SSL_CTX_free(context);
    return NULL;
}

void *intentd_tls_open(void *context, int socket, const char *name) {
    SSL *tls = SSL_new(context);
    if (!tls) return NULL;
    SSL_set_hostflags(tls, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    if (SSL_set_fd(tls, socket) && SSL_set1_host(tls, name) && SSL_set_tlsext_host_name(tls, name)) {
        SSL_set_connect_state(tls);
        return tls;
    }
    SSL_free(tls);
    return NULL;
}

/* Translates the result of an operation. OpenSSL's queue of errors must be empty before the operation. */
static ssize_t result(SSL *tls, int value) {
    if (value > 0) return value;
    switch (SSL_get_error(tls, value)) {
    case SSL_ERROR_WANT_READ: return INTENTD_TLS_WANTS_INPUT;
    case SSL_ERROR_WANT_WRITE: return INTENTD_TLS_WANTS_OUTPUT;
    case SSL_ERROR_ZERO_RETURN: return INTENTD_TLS_ENDED;
    default: return INTENTD_TLS_BROKEN;
    }
}

ssize_t intentd_tls_handshake(void *tls) {
    ERR_clear_error();
    return result(tls, SSL_do_handshake(tls));
}

ssize_t intentd_tls_receive(void *tls, uint8_t *bytes, size_t size) {
    ERR_clear_error();
    return result(tls, SSL_read(tls, bytes, size > INT32_MAX ? INT32_MAX : (int)size));
}

ssize_t intentd_tls_send(void *tls, const uint8_t *bytes, size_t count) {
    ERR_clear_error();
    return result(tls, SSL_write(tls, bytes, count > INT32_MAX ? INT32_MAX : (int)count));
}

void intentd_tls_end(void *tls) {
    ERR_clear_error();
    SSL_shutdown(tls);
}

void intentd_tls_close(void *tls) {
    SSL_free(tls);
    ERR_clear_error();
}

const char *intentd_tls_distrust(void *tls) {
    long code = SSL_get_verify_result(tls);
    return code == X509_V_OK ? NULL : X509_verify_cert_error_string(code);
}

const char *intentd_tls_failure(void) {
    unsigned long code = ERR_peek_error();
    const char *reason = code ? ERR_reason_error_string(code) : NULL;
    return reason ? reason : "the host closed the connection";
}
