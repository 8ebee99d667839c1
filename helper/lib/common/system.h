/*
 * system.h - is there a system below, with programs, sockets and signals? A
 * module of WebAssembly has only files and memory (helper/wasm).
 */
#ifndef TR2_COMMON_SYSTEM_H
#define TR2_COMMON_SYSTEM_H

#ifdef __wasi__
#define TR2_HAS_SYSTEM 0
#else
#define TR2_HAS_SYSTEM 1
#endif

#endif
