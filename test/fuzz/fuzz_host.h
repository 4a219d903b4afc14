/*
 * fuzz_host.h
 *		The GlHost of the fuzzers: malloc, a budget, nothing left behind.
 *
 * A harness calls FUZZ_REQUIRE() for what must hold of any input; a failure
 * traps, which the fuzzer and the replay both report with the input at hand.
 */
#ifndef FUZZ_HOST_H
#define FUZZ_HOST_H

#include <stdlib.h>
#include <string.h>

#include "base/host.h"

#define FUZZ_REQUIRE(condition) \
	do { \
		if (!(condition)) \
			__builtin_trap(); \
	} while (0)

/* The entry point of libFuzzer, and of replay.c. */
extern int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct FuzzChunk
{
	struct FuzzChunk *next;
	struct FuzzChunk *previous;
} FuzzChunk;					/* 16 bytes: what follows is aligned */

typedef struct FuzzHost
{
	GlHost		host;
	FuzzChunk	chunks;			/* ring of live chunks */
} FuzzHost;

static inline void *
fuzz_allocate(void *state, size_t bytes)
{
	FuzzHost   *fuzz = state;
	FuzzChunk  *chunk = malloc(sizeof(FuzzChunk) + bytes);

	if (chunk == NULL)
		return NULL;
	chunk->next = fuzz->chunks.next;
	chunk->previous = &fuzz->chunks;
	chunk->next->previous = chunk;
	fuzz->chunks.next = chunk;
	return chunk + 1;
}

static inline void *
fuzz_resize(void *state, void *memory, size_t bytes)
{
	FuzzChunk  *chunk = realloc((FuzzChunk *) memory - 1,
								sizeof(FuzzChunk) + bytes);

	(void) state;
	if (chunk == NULL)
		return NULL;
	chunk->next->previous = chunk;
	chunk->previous->next = chunk;
	return chunk + 1;
}

static inline void
fuzz_release(void *state, void *memory)
{
	FuzzChunk  *chunk = (FuzzChunk *) memory - 1;

	(void) state;
	chunk->next->previous = chunk->previous;
	chunk->previous->next = chunk->next;
	free(chunk);
}

static inline bool
fuzz_should_stop(void *state)
{
	(void) state;
	return false;
}

static inline GlHost *
fuzz_host_begin(FuzzHost *fuzz, size_t bytes_limit)
{
	memset(fuzz, 0, sizeof(*fuzz));
	fuzz->host.allocate = fuzz_allocate;
	fuzz->host.resize = fuzz_resize;
	fuzz->host.release = fuzz_release;
	fuzz->host.should_stop = fuzz_should_stop;
	fuzz->host.state = fuzz;
	fuzz->host.bytes_limit = bytes_limit;
	fuzz->chunks.next = fuzz->chunks.previous = &fuzz->chunks;
	gl_host_begin(&fuzz->host);
	return &fuzz->host;
}

/* Drop what a failed call left, as a server drops a memory context. */
static inline void
fuzz_host_end(FuzzHost *fuzz)
{
	while (fuzz->chunks.next != &fuzz->chunks)
		fuzz_release(fuzz, fuzz->chunks.next + 1);
}

#endif							/* FUZZ_HOST_H */
