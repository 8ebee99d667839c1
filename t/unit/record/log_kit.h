/* log_kit.h - the EVENT log of a process that does nothing. */
#ifndef UNIT_RECORD_LOG_KIT_H
#define UNIT_RECORD_LOG_KIT_H

#define EVENT(name, more)                                            \
	"{\"event\":\"" name "\",\"sid\":\"s\",\"thread\":\"main\"," \
	"\"time\":\"2026-01-01T00:00:00.000000Z\"" more "}\n"
#define LOG                                                   \
	EVENT("version", ",\"evt\":\"4\",\"exe\":\"2.47.0\"") \
	EVENT("start", ",\"t_abs\":0.001,\"argv\":[\"git\"]") \
	EVENT("exit", ",\"t_abs\":0.002,\"code\":0")          \
	EVENT("atexit", ",\"t_abs\":0.003,\"code\":0")

#endif
