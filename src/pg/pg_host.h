/*
 * pg_host.h
 *		The server as host of the numerical core.
 *
 * Every SQL-callable function that enters the core begins with
 *
 *		GlHost host;
 *		MemoryContext arena = pg_host_begin(&host, "graphlearn knn graph");
 *
 * and passes each core call through pg_check().  The arena is a child of
 * CurrentMemoryContext: on an error the server drops it, on success the
 * function deletes it, or gives it to the value it returns.
 */
#ifndef GRAPHLEARN_PG_HOST_H
#define GRAPHLEARN_PG_HOST_H

#include "compat.h"

#include "base/host.h"

/* graphlearn.max_memory, in kilobytes */
extern int	graphlearn_max_memory;

/* A host whose memory is a new context below CurrentMemoryContext. */
extern MemoryContext pg_host_begin(GlHost *host, const char *name);

/* The same on a context that exists already (aggregate states). */
extern void pg_host_on(GlHost *host, MemoryContext context);

/* Raise the error for a status, with the message and hint of the core. */
extern void pg_host_raise(const GlHost *host, GlStatus status)
			pg_attribute_noreturn();

static inline void
pg_check(const GlHost *host, GlStatus status)
{
	if (unlikely(status != GL_OK))
		pg_host_raise(host, status);
}

/* count items of a size, charged to the host; raises where it refuses. */
extern void *pg_allocate(GlHost *host, int64 count, Size item_size);

#endif							/* GRAPHLEARN_PG_HOST_H */
