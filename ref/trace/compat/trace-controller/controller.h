/*
 * trace-controller/controller.h - another name of <trace/controller/controller.h>.
 */
#ifndef TRACE_CONTROLLER_BY_OTHER_NAME_H
#define TRACE_CONTROLLER_BY_OTHER_NAME_H

#include <trace/controller/controller.h>

#endif
