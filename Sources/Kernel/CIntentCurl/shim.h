#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <dlfcn.h>

/* libcurl brings 18 libraries that nothing else here needs, which would delay each start of a program. A program loads it only
 * if it sends requests, by its name in Debian, where it uses GnuTLS, or by its own. */
static inline void *_Nullable ccurl_library(void) {
    void *library = dlopen("libcurl-gnutls.so.4", RTLD_NOW);
    return library ? library : dlopen("libcurl.so.4", RTLD_NOW);
}

/* Declares a function of the loaded library as a variable. */
#define CCURL_FIND(function) \
    __typeof__(function) *function##_ = (__typeof__(function) *)dlsym(library, #function)

/* Loads the library. Returns the reason if that fails, else NULL. */
static inline const char *_Nullable ccurl_prepare(void) {
    void *library = ccurl_library();
    if (!library) return dlerror();
    CCURL_FIND(curl_global_init);
    return curl_global_init_(CURL_GLOBAL_DEFAULT) == CURLE_OK ? NULL : "libcurl cannot be initialized";
}

/* Sends a request with the prepared library, and waits for the end of its response, for at most a number of seconds: GET
 * without a body, else POST of JSON. No redirection is followed, and only the protocols of the list are used.
 *
 * authorities: a file with certificates of authorities; NULL for the certificates of the system.
 * receive, context: receive the parts of the response's body; another result than the size of the part ends the request.
 * status: receives the status of the response.
 * reason: receives the reason of a failure; at least CURL_ERROR_SIZE bytes.
 *
 * Returns 0, or the number of an error. */
static inline int ccurl_request(
    const char *_Nonnull url, const char *_Nonnull protocols, const char *_Nullable authorities,
    const void *_Nullable body, long bodyCount, long seconds, curl_write_callback _Nonnull receive,
    void *_Nullable context, long *_Nonnull status, char *_Nonnull reason) {
    reason[0] = 0;
    void *library = ccurl_library();
    if (!library) return CURLE_FAILED_INIT;
    CCURL_FIND(curl_easy_init);
    CCURL_FIND(curl_easy_setopt);
    CCURL_FIND(curl_easy_perform);
    CCURL_FIND(curl_easy_getinfo);
    CCURL_FIND(curl_easy_cleanup);
    CCURL_FIND(curl_slist_append);
    CCURL_FIND(curl_slist_free_all);
    CURL *curl = curl_easy_init_();
    if (!curl) return CURLE_OUT_OF_MEMORY;
    struct curl_slist *fields = curl_slist_append_(NULL, "Accept: application/json");
    if (body) {
        fields = curl_slist_append_(fields, "Content-Type: application/json");
        curl_easy_setopt_(curl, CURLOPT_POST, 1L);
        curl_easy_setopt_(curl, CURLOPT_POSTFIELDS, body);
        curl_easy_setopt_(curl, CURLOPT_POSTFIELDSIZE, bodyCount);
    }
    curl_easy_setopt_(curl, CURLOPT_URL, url);
    // libcurl has this option since 7.85. An older one would accept an address with any protocol.
    CURLcode code = curl_easy_setopt_(curl, CURLOPT_PROTOCOLS_STR, protocols);
    curl_easy_setopt_(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt_(curl, CURLOPT_TIMEOUT, seconds);
    curl_easy_setopt_(curl, CURLOPT_HTTPHEADER, fields);
    if (authorities) curl_easy_setopt_(curl, CURLOPT_CAINFO, authorities);
    curl_easy_setopt_(curl, CURLOPT_WRITEFUNCTION, receive);
    curl_easy_setopt_(curl, CURLOPT_WRITEDATA, context);
    curl_easy_setopt_(curl, CURLOPT_ERRORBUFFER, reason);
    if (code == CURLE_OK) code = curl_easy_perform_(curl);
    curl_easy_getinfo_(curl, CURLINFO_RESPONSE_CODE, status);
    curl_slist_free_all_(fields);
    curl_easy_cleanup_(curl);
    return (int)code;
}
#endif
