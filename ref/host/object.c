#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* on_exit, dladdr1, dlmopen */
#endif
#include "host/system.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <gnu/lib-names.h>
#include <link.h>
#endif

#include "host/host.h"

static void (*exit_fn)(int code); /* atomic */

#ifdef __GLIBC__
#pragma weak dladdr1 /* a static program has none of these */
#pragma weak dlinfo
#pragma weak dlmopen
#pragma weak dlopen
#pragma weak dlsym

/* Returns the object that contains this code; NULL: unknown. */
static struct link_map *find_map(const void *code)
{
	struct link_map *object = NULL;
	Dl_info info;

	if (!dladdr1 ||
	    !dladdr1(code, &info, (void **)&object, RTLD_DL_LINKMAP))
		return NULL;
	return object;
}

/*
 * The name of the object that contains this code: "" for the program, NULL:
 * unknown.
 */
static const char *find_object(const void *code)
{
	const struct link_map *object = find_map(code);

	if (!dladdr1)
		return "";
	return object ? object->l_name : NULL;
}

void tr2_host_stay(void)
{
	static int is_asked; /* atomic */
	int error = errno;
	const char *name;

	if (__atomic_exchange_n(&is_asked, 1, __ATOMIC_RELAXED))
		return;
	name = find_object(&is_asked);
	if (name && *name && dlopen)
		dlopen(name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
	errno = error;
}

int tr2_host_is_program(const void *code)
{
	const char *name = find_object(code);

	/*
	 * In a static program nothing may be known, not even about the library.
	 */
	return name ? !*name : !find_object(&tr2_host);
}

static int is_in_namespace(void)
{
	struct link_map *object = find_map(&tr2_host);
	Lmid_t space = LM_ID_BASE;

	return object && dlinfo && !dlinfo(object, RTLD_DI_LMID, &space) &&
	       space != LM_ID_BASE;
}

/* This copy's own, or those of the program's C library. Then constant. */
static struct libc {
	int (*on_exit)(void (*fn)(int code, void *data), void *data);
	int (*key_create)(pthread_key_t *key, void (*at_end)(void *));
	int (*key_set)(pthread_key_t key, const void *value);
	/* what glibc's functions call; NULL: pthread_atfork() and so on */
	int (*register_atfork)(void (*prepare)(void), void (*parent)(void),
			       void (*child)(void), void *object);
	int (*register_quick_exit)(void (*fn)(void), void *object);
} libc = { on_exit, pthread_key_create, pthread_setspecific, NULL, NULL };

/*
 * A thread has one place for the values of all C libraries, and each counts its
 * keys from 0. An object of LD_AUDIT comes before the program's C library: its
 * copy has none, and sees no thread's end.
 */
static int have_no_key(pthread_key_t *key, void (*at_end)(void *))
{
	(void)at_end;
	*key = 0;
	return 0;
}

static int keep_no_value(pthread_key_t key, const void *value)
{
	(void)key;
	(void)value;
	return 0;
}

__attribute__((constructor(101))) static void choose_libc(void)
{
	static const char *const names[] = { "on_exit", "pthread_key_create",
					     "pthread_setspecific",
					     "__register_atfork",
					     "__cxa_at_quick_exit" };
	void *fns[5], *programs;

	if (!dlmopen || !dlsym || !is_in_namespace())
		return;
	libc.key_create = have_no_key;
	libc.key_set = keep_no_value;
	programs = dlmopen(LM_ID_BASE, LIBC_SO, RTLD_LAZY | RTLD_NOLOAD);
	if (!programs)
		return;
	for (size_t i = 0; i < 5; i++) {
		fns[i] = dlsym(programs, names[i]);
		if (!fns[i])
			return;
	}
	_Static_assert(sizeof(fns) == sizeof(libc), "pointers of one size");
	memcpy(&libc, fns, sizeof(libc));
}

int tr2_host_is_apart(void)
{
	return libc.key_create != pthread_key_create;
}

static void run_exit_fn(int code, void *unused)
{
	(void)unused;
	__atomic_load_n(&exit_fn, __ATOMIC_ACQUIRE)(code);
}

int tr2_host_ask_exit(void (*fn)(int code))
{
	__atomic_store_n(&exit_fn, fn, __ATOMIC_RELEASE);
	return libc.on_exit(run_exit_fn, NULL);
}

int tr2_host_key_create(pthread_key_t *key, void (*at_end)(void *))
{
	return libc.key_create(key, at_end);
}

int tr2_host_key_set(pthread_key_t key, const void *value)
{
	return libc.key_set(key, value);
}

int tr2_host_at_fork(void (*prepare)(void), void (*parent)(void),
		     void (*child)(void))
{
	if (libc.register_atfork)
		return libc.register_atfork(prepare, parent, child, NULL);
	return pthread_atfork(prepare, parent, child);
}

void tr2_host_ask_quick_exit(void (*fn)(void))
{
	if (libc.register_quick_exit)
		libc.register_quick_exit(fn, NULL);
	else
		at_quick_exit(fn);
}
#else
void tr2_host_stay(void)
{
}

int tr2_host_is_program(const void *code)
{
	(void)code;
	return 1;
}

int tr2_host_is_apart(void)
{
	return 0;
}

static void run_exit_fn(void)
{
	__atomic_load_n(&exit_fn, __ATOMIC_ACQUIRE)(-1);
}

int tr2_host_ask_exit(void (*fn)(int code))
{
	__atomic_store_n(&exit_fn, fn, __ATOMIC_RELEASE);
	return atexit(run_exit_fn);
}

int tr2_host_key_create(pthread_key_t *key, void (*at_end)(void *))
{
	return pthread_key_create(key, at_end);
}

int tr2_host_key_set(pthread_key_t key, const void *value)
{
	return pthread_setspecific(key, value);
}

int tr2_host_at_fork(void (*prepare)(void), void (*parent)(void),
		     void (*child)(void))
{
	return pthread_atfork(prepare, parent, child);
}

void tr2_host_ask_quick_exit(void (*fn)(void))
{
#ifdef __APPLE__
	(void)fn; /* there is no quick_exit(3) */
#else
	at_quick_exit(fn);
#endif
}
#endif
