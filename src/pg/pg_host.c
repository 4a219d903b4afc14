/*
 * pg_host.c
 *		Memory contexts, interrupts and SQLSTATEs for the core's GlHost.
 */
#include "pg_host.h"

#include "miscadmin.h"
#include "utils/memutils.h"

static void *
host_allocate(void *state, size_t bytes)
{
	return MemoryContextAllocExtended((MemoryContext) state, bytes,
									  MCXT_ALLOC_HUGE | MCXT_ALLOC_NO_OOM);
}

/* Raises an error instead of returning NULL when the machine has no more. */
static void *
host_resize(void *state, void *chunk, size_t bytes)
{
	return repalloc_huge(chunk, bytes);
}

static void
host_release(void *state, void *chunk)
{
	pfree(chunk);
}

/*
 * Let the server act on any pending interrupt, not only on a cancel: a
 * backend that ignores barriers makes DROP DATABASE wait.  May not return;
 * see the contract at the top of base/host.h.
 */
static bool
host_should_stop(void *state)
{
	CHECK_FOR_INTERRUPTS();
	return false;
}

void
pg_host_on(GlHost *host, MemoryContext context)
{
	memset(host, 0, sizeof(*host));
	host->allocate = host_allocate;
	host->resize = host_resize;
	host->release = host_release;
	host->should_stop = host_should_stop;
	host->state = context;
	host->bytes_limit = (size_t) graphlearn_max_memory * 1024;
	gl_host_begin(host);
}

MemoryContext
pg_host_begin(GlHost *host, const char *name)
{
	MemoryContext arena = AllocSetContextCreate(CurrentMemoryContext,
												"graphlearn",
												ALLOCSET_DEFAULT_SIZES);

	MemoryContextSetIdentifier(arena, name);
	pg_host_on(host, arena);
	return arena;
}

/* The one place where a status of the core becomes an SQLSTATE. */
static int
status_sqlstate(GlStatus status)
{
	switch (status)
	{
		case GL_ERR_OPTION:
			return ERRCODE_INVALID_PARAMETER_VALUE;
		case GL_ERR_DATA:
			return ERRCODE_DATA_EXCEPTION;
		case GL_ERR_CORRUPT:
			return ERRCODE_DATA_CORRUPTED;
		case GL_ERR_TOO_LARGE:
			return ERRCODE_PROGRAM_LIMIT_EXCEEDED;
		case GL_ERR_MEMORY:
			return ERRCODE_OUT_OF_MEMORY;
		case GL_ERR_INTERRUPTED:
			return ERRCODE_QUERY_CANCELED;
		case GL_ERR_INTERNAL:
		case GL_OK:
			break;
	}
	return ERRCODE_INTERNAL_ERROR;
}

void
pg_host_raise(const GlHost *host, GlStatus status)
{
	ereport(ERROR,
			(errcode(status_sqlstate(status)),
			 errmsg("%s", host->message),
			 host->hint[0] != '\0' ? errhint("%s", host->hint) : 0));
}

void *
pg_allocate(GlHost *host, int64 count, Size item_size)
{
	void	   *array = gl_allocate(host, count, item_size);

	if (array == NULL)
		pg_host_raise(host, host->status);
	return array;
}
