/*
 * event_internal.h - the implementation of the macros of <trace/event.h>.
 *
 * Each use of a macro has a word of its own (a site), which remembers whether
 * the category is on. The memory is valid for one epoch: this number changes
 * with each start and stop. Therefore a trace point that is off costs two
 * loads and a comparison. There is no list of sites, so a library with sites
 * can be unloaded.
 */
#ifndef TRACE_EVENT_INTERNAL_H
#define TRACE_EVENT_INTERNAL_H

#include "engine.h"
#include "event_args.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A multiple of 4; TRACE_INTERNAL_STARTED is set while the engine is started.
 * A site holds this value if its category is off, and 1 more if it is on.
 * Only the engine changes it.
 */
TRACE_API extern uint32_t trace_internal_epoch;

#define TRACE_INTERNAL_STARTED 2u
#define TRACE_INTERNAL_ON 1u

static inline uint32_t trace_internal_now(void)
{
	return __atomic_load_n(&trace_internal_epoch, __ATOMIC_RELAXED);
}

/* Ask the handler, and remember the answer. */
TRACE_API bool trace_internal_ask(uint32_t *site, const char *category);

static inline bool trace_internal_is_on(uint32_t *site, const char *category)
{
	uint32_t epoch = trace_internal_now();
	uint32_t state = __atomic_load_n(site, __ATOMIC_ACQUIRE);

	if (__builtin_expect(state == epoch, 1))
		return false;
	return state == epoch + TRACE_INTERNAL_ON ||
	       trace_internal_ask(site, category);
}

/*
 * Write a record of the calling thread. `id` is the word after the arguments,
 * if the type of event has one; of an instant, its scope. A complete duration
 * ends now.
 */
TRACE_API void trace_internal_event(enum fxt_event type, const char *category,
				    const char *name, uint64_t id,
				    const struct trace_arg *args, size_t count);
TRACE_API void trace_internal_complete(const char *category, const char *name,
				       uint64_t start,
				       const struct trace_arg *args,
				       size_t count);
TRACE_API void trace_internal_blob_event(const char *category, const char *name,
					 const void *bytes, size_t size,
					 const struct trace_arg *args,
					 size_t count);
TRACE_API void trace_internal_attachment(const char *category, const char *name,
					 const void *bytes, size_t size);
TRACE_API void trace_internal_blob(int type, const char *name,
				   const void *bytes, size_t size);
TRACE_API void trace_internal_kernel_object(uint64_t koid,
					    const struct trace_arg *args,
					    size_t count);
TRACE_API void trace_internal_alert(const char *name);
TRACE_API uint64_t trace_internal_nonce(void);

#ifdef __cplusplus
}
#endif

#ifdef NTRACE
#define TRACE_INTERNAL_ENABLED() false
#define TRACE_INTERNAL_IS_ON(site, category) ((void)(category), false)
#define TRACE_INTERNAL_SITE(site)
#else
#define TRACE_INTERNAL_ENABLED() \
	((trace_internal_now() & TRACE_INTERNAL_STARTED) != 0)
#define TRACE_INTERNAL_IS_ON(site, category) \
	trace_internal_is_on(&(site), (category))
#define TRACE_INTERNAL_SITE(site) static uint32_t site;
#endif

#define TRACE_INTERNAL_CATEGORY_ENABLED(category)              \
	__extension__({                                        \
		TRACE_INTERNAL_SITE(trace_site_)               \
		TRACE_INTERNAL_IS_ON(trace_site_, (category)); \
	})

/* Make the call if the category is on. */
#define TRACE_INTERNAL_IF(category, call)                            \
	do {                                                         \
		TRACE_INTERNAL_SITE(trace_site_)                     \
		if (TRACE_INTERNAL_IS_ON(trace_site_, (category))) { \
			call;                                        \
		}                                                    \
	} while (0)

#define TRACE_INTERNAL_IF_ENABLED(call)         \
	do {                                    \
		if (TRACE_INTERNAL_ENABLED()) { \
			call;                   \
		}                               \
	} while (0)

#define TRACE_INTERNAL_INSTANT(category, name, scope, ...)                   \
	TRACE_INTERNAL_EVENT(FXT_INSTANT, category, name, (uint64_t)(scope), \
			     __VA_ARGS__)
#define TRACE_INTERNAL_METADATA(category, name, ...)                           \
	TRACE_INTERNAL_IF(category,                                            \
			  TRACE_INTERNAL_WRITE(trace_internal_event,           \
					       (FXT_INSTANT,                   \
						TRACE_METADATA_CATEGORY, name, \
						TRACE_SCOPE_PROCESS),          \
					       __VA_ARGS__))
#define TRACE_INTERNAL_PLAIN(type, category, name, ...)                   \
	TRACE_INTERNAL_IF(category,                                       \
			  TRACE_INTERNAL_WRITE(trace_internal_event,      \
					       (type, category, name, 0), \
					       __VA_ARGS__))
#define TRACE_INTERNAL_EVENT(type, category, name, id, ...)                  \
	TRACE_INTERNAL_IF(category,                                          \
			  TRACE_INTERNAL_WRITE(trace_internal_event,         \
					       (type, category, name, (id)), \
					       __VA_ARGS__))
#define TRACE_INTERNAL_BLOB_EVENT(category, name, bytes, size, ...)           \
	TRACE_INTERNAL_IF(category,                                           \
			  TRACE_INTERNAL_WRITE(trace_internal_blob_event,     \
					       (category, name, bytes, size), \
					       __VA_ARGS__))
#define TRACE_INTERNAL_KERNEL_OBJECT(koid, ...)         \
	TRACE_INTERNAL_IF_ENABLED(TRACE_INTERNAL_WRITE( \
		trace_internal_kernel_object, (koid), __VA_ARGS__))

#define TRACE_INTERNAL_STRIP(...) __VA_ARGS__
#define TRACE_INTERNAL_JOIN_(a, b) a##b
#define TRACE_INTERNAL_JOIN(a, b) TRACE_INTERNAL_JOIN_(a, b)

/* A duration; `id` makes the names of its variables unique. */
#ifdef NTRACE
#define TRACE_INTERNAL_DURATION(id, category, name, ...) \
	TRACE_INTERNAL_PLAIN(FXT_INSTANT, category, name, __VA_ARGS__)
#else
#define TRACE_INTERNAL_DURATION(id, category, name, ...)                     \
	TRACE_INTERNAL_OPEN(TRACE_INTERNAL_JOIN(trace_site_, id),            \
			    TRACE_INTERNAL_JOIN(trace_kept_, id),            \
			    TRACE_INTERNAL_JOIN(trace_scope_, id), category, \
			    name, __VA_ARGS__)
#endif

#ifndef __cplusplus

/*
 * Arguments are name, value, name, value, ..., and one more pair that is not
 * counted, so that there is always one, as C's `...` and arrays need.
 */
#define TRACE_INTERNAL_LAST (const char *)0, TA_NULL()
#define TRACE_INTERNAL_BRACES(...)                                     \
	_Pragma("GCC diagnostic push")                                 \
		_Pragma("GCC diagnostic ignored \"-Wmissing-braces\"") \
			__VA_ARGS__ _Pragma("GCC diagnostic pop")
#define TRACE_INTERNAL_ARRAY(array, ...) \
	TRACE_INTERNAL_BRACES(const struct trace_arg array[] = { __VA_ARGS__ };)
#define TRACE_INTERNAL_ROOM(array, ...)                                     \
	TRACE_INTERNAL_BRACES(                                              \
		struct trace_arg                                            \
			array[sizeof((struct trace_arg[]){ __VA_ARGS__ }) / \
			      sizeof(struct trace_arg)];)
#define TRACE_INTERNAL_COUNT(array) (sizeof(array) / sizeof((array)[0]) - 1)
#define TRACE_INTERNAL_LIMIT(array)                                   \
	_Static_assert(TRACE_INTERNAL_COUNT(array) <= TRACE_MAX_ARGS, \
		       "too many trace arguments")

#define TRACE_INTERNAL_WRITE(function, fixed, ...)        \
	TRACE_INTERNAL_ARRAY(trace_args_, __VA_ARGS__)    \
	TRACE_INTERNAL_LIMIT(trace_args_);                \
	function(TRACE_INTERNAL_STRIP fixed, trace_args_, \
		 TRACE_INTERNAL_COUNT(trace_args_))

/* An open duration; start is 0 if it is not traced. */
struct trace_internal_scope {
	uint64_t start;
	const char *category;
	const char *name;
	const struct trace_arg *args;
	size_t count;
};

static inline void trace_internal_leave(struct trace_internal_scope *scope)
{
	if (scope->start)
		trace_internal_complete(scope->category, scope->name,
					scope->start, scope->args,
					scope->count);
}

#define TRACE_INTERNAL_OPEN(site, array, scope, category_, name_, ...)         \
	TRACE_INTERNAL_SITE(site)                                              \
	TRACE_INTERNAL_ROOM(array, __VA_ARGS__)                                \
	struct trace_internal_scope scope                                      \
		__attribute__((cleanup(trace_internal_leave))) = { 0, 0, 0, 0, \
								   0 };        \
	if (TRACE_INTERNAL_IS_ON(site, (category_))) {                         \
		TRACE_INTERNAL_ARRAY(trace_copy_, __VA_ARGS__)                 \
		TRACE_INTERNAL_LIMIT(trace_copy_);                             \
		memcpy(array, trace_copy_, sizeof(array));                     \
		scope.category = (category_);                                  \
		scope.name = (name_);                                          \
		scope.args = array;                                            \
		scope.count = TRACE_INTERNAL_COUNT(array);                     \
		scope.start = trace_ticks_now();                               \
	}
#endif

#endif
