/*
 * trace-provider/provider.h - another name of <trace/provider/provider.h>.
 */
#ifndef TRACE_PROVIDER_BY_OTHER_NAME_H
#define TRACE_PROVIDER_BY_OTHER_NAME_H

#include <trace/provider/provider.h>

#endif
