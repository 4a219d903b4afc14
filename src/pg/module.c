/*
 * module.c
 *		What happens when the server loads the library: magic and settings.
 */
#include "pg_host.h"

#include <limits.h>

GRAPHLEARN_MODULE_MAGIC;

void		_PG_init(void);

int			graphlearn_max_memory = 1024 * 1024;	/* 1 GB */

void
_PG_init(void)
{
	DefineCustomIntVariable("graphlearn.max_memory",
							"Sets the most memory one graphlearn call may use.",
							"A call that needs more fails and says how much; results never depend on this setting.",
							&graphlearn_max_memory,
							1024 * 1024, 64, INT_MAX,
							PGC_USERSET, GUC_UNIT_KB,
							NULL, NULL, NULL);
	MarkGUCPrefixReserved("graphlearn");
}
