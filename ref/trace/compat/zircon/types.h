/*
 * zircon/types.h - as much of Fuchsia's as programs that are traced use.
 */
#ifndef ZIRCON_TYPES_H
#define ZIRCON_TYPES_H

#include <stdint.h>
#include <stdlib.h>

typedef int32_t zx_status_t;
typedef uint64_t zx_koid_t;
typedef uint32_t zx_handle_t;

#define ZX_OK ((zx_status_t)0)
#define ZX_ERR_INTERNAL ((zx_status_t)-1)
#define ZX_ERR_NO_RESOURCES ((zx_status_t)-3)
#define ZX_ERR_NO_MEMORY ((zx_status_t)-4)
#define ZX_ERR_BAD_STATE ((zx_status_t)-20)

#define ZX_HANDLE_INVALID ((zx_handle_t)0)

#endif
