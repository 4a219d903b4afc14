/*
 * model_labels.c
 *		Labels to UTF-8 and back.
 */
#include "model_labels.h"
#include "label_text.h"

#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "utils/builtins.h"

void
model_labels_set(const LabelClasses *classes, MemoryContext context,
				 Model *model)
{
	LabelReader reader;
	StringInfoData all;
	int64_t    *ends = MemoryContextAlloc(context, sizeof(int64_t) *
										  Max(classes->count, 1));
	char	   *kept;

	initStringInfo(&all);
	if (classes->count > 0)
		label_reader_begin(&reader, classes->type, CurrentMemoryContext);
	for (int32 c = 0; c < classes->count; c++)
	{
		int64		length;
		const char *label = label_text(&reader, classes->label[c], &length);
		const char *stored = label;

		if (GetDatabaseEncoding() != PG_SQL_ASCII)
			stored = pg_server_to_any(label, (int) length, PG_UTF8);
		appendBinaryStringInfo(&all, stored, stored == label ?
							   (int) length : (int) strlen(stored));
		ends[c] = all.len;
	}
	kept = MemoryContextAlloc(context, Max(all.len, 1));
	memcpy(kept, all.data, all.len);
	model->class_count = classes->count;
	model->class_end = ends;
	model->class_text = kept;
	model->text_bytes = all.len;
}

text *
model_label(const Model *model, int32 label_class)
{
	int64_t		length;
	const char *stored = model_class_label(model, label_class, &length);
	const char *label = stored;

	if (GetDatabaseEncoding() == PG_SQL_ASCII)
		pg_verify_mbstr(PG_SQL_ASCII, stored, (int) length, false);
	else
		label = pg_any_to_server(stored, (int) length, PG_UTF8);
	return cstring_to_text_with_len(label, label == stored ?
									(int) length : (int) strlen(label));
}

void
model_labels_check(const Model *model)
{
	for (int32 c = 0; c < model->class_count; c++)
		pfree(model_label(model, c));
}
