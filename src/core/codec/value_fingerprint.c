/*
 * value_fingerprint.c
 *		A number that tells models apart.
 *
 * It is drawn from the numbers of the layout, not from their bytes, so it is
 * the same on every machine.  It is no defence against an author of bytes who
 * wants two models to look alike; it only has to be cheap and fair.
 */
#include "codec/value_layout.h"

static inline uint64_t
mix(uint64_t hash, uint64_t number)
{
	hash = (hash ^ number) * UINT64_C(0x9E3779B97F4A7C15);
	return hash ^ hash >> 32;
}

static uint64_t
item(const ValueSection *section, uint64_t at)
{
	switch (section->width)
	{
		case 8:
			return ((const uint64_t *) section->data)[at];
		case 4:
			return ((const uint32_t *) section->data)[at];
		default:
			return ((const uint8_t *) section->data)[at];
	}
}

static GlStatus
mix_part(GlHost *host, const ValueLayout *layout, uint64_t *hash)
{
	const ValueKind *kind = layout->kind;
	uint64_t	sum = mix(*hash, kind->number);

	sum = mix(sum, layout->flags);
	for (int i = 0; i < kind->field_count; i++)
		if (!kind->keeps || i != kind->fingerprint_field)
			sum = mix(sum, layout->field[i]);
	for (int i = 0; i < kind->section_count; i++)
		for (uint64_t at = 0; at < layout->section[i].count; at++)
		{
			GL_TRY(gl_work(host, 1));
			sum = mix(sum, item(&layout->section[i], at));
		}
	*hash = sum;
	return GL_OK;
}

GlStatus
value_fingerprint(GlHost *host, const GlValue *value, uint64_t *fingerprint)
{
	WholeLayout whole;
	uint64_t	hash = VALUE_FORMAT_VERSION;

	*fingerprint = 0;
	if (value->type != VALUE_MODEL)
		return gl_fail(host, GL_ERR_INTERNAL,
					   "only models have a fingerprint");
	GL_TRY(value_lay_out(host, value, &whole));
	GL_TRY(mix_part(host, &whole.own, &hash));
	if (whole.kept.kind != NULL)
		GL_TRY(mix_part(host, &whole.kept, &hash));
	*fingerprint = hash;
	return GL_OK;
}

uint64_t
value_flat_fingerprint(const char *start, size_t bytes)
{
	size_t		offset = VALUE_LENGTH_WORD + VALUE_PREAMBLE;
	uint64_t	fingerprint;

	for (int i = 0; i < model_kind.fingerprint_field; i++)
		offset += model_kind.fields[i].width;
	if (bytes < offset + sizeof(fingerprint))
		return 0;
	memcpy(&fingerprint, start + offset, sizeof(fingerprint));
	return fingerprint;
}
