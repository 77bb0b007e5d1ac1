#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H
#include <curl/curl.h>

// Wrappers for variadic functions, which Swift cannot import.

/* Sends a request, and waits for the end of its response, for at most a number of seconds: GET without a body, else POST
 * of JSON. No redirection is followed, and only the protocols of the list are used.
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
    CURL *curl = curl_easy_init();
    if (!curl) return CURLE_OUT_OF_MEMORY;
    struct curl_slist *fields = curl_slist_append(NULL, "Accept: application/json");
    if (body) {
        fields = curl_slist_append(fields, "Content-Type: application/json");
        curl_easy_setopt(curl, CURLOPT_POST, 1L);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, bodyCount);
    }
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, protocols);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, seconds);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, fields);
    if (authorities) curl_easy_setopt(curl, CURLOPT_CAINFO, authorities);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, context);
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, reason);
    CURLcode code = curl_easy_perform(curl);
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, status);
    curl_slist_free_all(fields);
    curl_easy_cleanup(curl);
    return (int)code;
}

/* Prepares the library, before any thread starts. */
static inline void ccurl_prepare(void) { curl_global_init(CURL_GLOBAL_DEFAULT); }
#endif
