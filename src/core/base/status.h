/*
 * status.h
 *		What a core function can answer, apart from its result.
 *
 * Not converging is not a status: an iterative solver reports it in its
 * ...Report struct.  The one switch from these codes to SQLSTATEs is in
 * src/pg/pg_host.c.
 */
#ifndef GL_STATUS_H
#define GL_STATUS_H

typedef enum GlStatus
{
	GL_OK = 0,
	GL_ERR_OPTION,				/* an option or argument is out of range */
	GL_ERR_DATA,				/* the rows themselves cannot be used */
	GL_ERR_CORRUPT,				/* bytes that no version of us ever wrote */
	GL_ERR_TOO_LARGE,			/* beyond a fixed limit of the format */
	GL_ERR_MEMORY,				/* the byte budget, or the machine, is spent */
	GL_ERR_INTERRUPTED,			/* the host asked us to stop */
	GL_ERR_INTERNAL				/* a broken invariant: our bug */
} GlStatus;

/* Hand any failure on to the caller. */
#define GL_TRY(expression) \
	do { \
		GlStatus	try_status_ = (expression); \
		if (try_status_ != GL_OK) \
			return try_status_; \
	} while (0)

#endif							/* GL_STATUS_H */
