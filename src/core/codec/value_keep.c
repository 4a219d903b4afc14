/*
 * value_keep.c
 *		A copy of points or of a graph as the part that a model keeps.
 *
 * The copy is the flat form itself, looked at in place: one pass, whatever
 * the kind, and the same arrays as after the model was stored and read.
 */
#include "codec/value_layout.h"

/* The graph without its edges; row_start is n + 1 zeros. */
static void
drop_edges(const GlValue *source, const int64_t *row_start, GlValue *bare)
{
	*bare = *source;
	bare->sparse.entry_count = 0;
	bare->sparse.row_start = row_start;
	bare->sparse.importance = NULL;
}

GlStatus
value_keep(GlHost *host, const GlValue *source, GlValue *out)
{
	GlValue		bare;
	int64_t    *row_start = NULL;
	char	   *image;
	size_t		bytes;

	memset(out, 0, sizeof(*out));
	if (source->type == VALUE_GRAPH && source->storage == STORAGE_SPARSE)
	{
		GL_NEW_ZEROED(host, row_start, source->sparse.graph.node_count + 1);
		drop_edges(source, row_start, &bare);
		source = &bare;
	}
	GL_TRY(value_flat_size(host, source, &bytes));
	GL_NEW(host, image, bytes);
	memset(image, 0, VALUE_LENGTH_WORD);
	GL_TRY(value_write_flat(host, source, image + VALUE_LENGTH_WORD, bytes));
	gl_release(host, row_start);
	GL_TRY(value_view(host, source->type, image, bytes, out));
	out->kept_type = out->type;
	out->type = VALUE_MODEL;
	out->image = image;
	out->model.row_count = value_kept_row_count(out);
	out->model.ids = value_kept_ids(out);
	return GL_OK;
}
