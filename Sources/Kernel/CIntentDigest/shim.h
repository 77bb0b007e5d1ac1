#ifndef CMESSAGEDIGEST_SHIM_H
#define CMESSAGEDIGEST_SHIM_H
#include <sys/types.h>
#include <stdint.h>
#include <sha2.h>
#endif
