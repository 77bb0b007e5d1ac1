#ifndef CINTENTTLS_SHIM_H
#define CINTENTTLS_SHIM_H
#include <openssl/ssl.h>
#endif
