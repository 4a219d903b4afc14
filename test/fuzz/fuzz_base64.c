/*
 * fuzz_base64.c
 *		Any text as base64, and any bytes through it and back.
 *
 * Required of every input: no access out of bounds; text that is accepted is,
 * white space aside, the text that its bytes encode to; bytes survive.
 */
#include "fuzz_host.h"

#include "codec/base64.h"

static char *
encode(GlHost *host, const unsigned char *bytes, size_t length,
	   size_t *characters)
{
	char	   *text;

	FUZZ_REQUIRE(base64_encoded_size(length, characters));
	text = malloc(*characters);
	FUZZ_REQUIRE(base64_encode(host, bytes, length, text, *characters) ==
				 GL_OK);
	return text;
}

/* The text without white space equals what its bytes encode to. */
static void
require_same_text(GlHost *host, const uint8_t *data, size_t size,
				  const unsigned char *bytes, size_t length)
{
	size_t		characters;
	char	   *text = encode(host, bytes, length, &characters);
	size_t		at = 0;

	for (size_t i = 0; i < size; i++)
	{
		if (data[i] == ' ' || (data[i] >= '\t' && data[i] <= '\r'))
			continue;
		FUZZ_REQUIRE(at < characters && (uint8_t) text[at] == data[i]);
		at++;
	}
	FUZZ_REQUIRE(at == characters);
	free(text);
}

static void
try_text(GlHost *host, const uint8_t *data, size_t size)
{
	size_t		room = base64_decoded_limit(size);
	unsigned char *bytes = malloc(room);
	size_t		length;

	if (base64_decode(host, (const char *) data, size, bytes, room,
					  &length) == GL_OK)
		require_same_text(host, data, size, bytes, length);
	else
		FUZZ_REQUIRE(length == 0 && host->status == GL_ERR_DATA);
	free(bytes);
}

static void
try_bytes(GlHost *host, const uint8_t *data, size_t size)
{
	size_t		characters;
	char	   *text = encode(host, data, size, &characters);
	size_t		room = base64_decoded_limit(characters);
	unsigned char *bytes = malloc(room);
	size_t		length;

	FUZZ_REQUIRE(base64_decode(host, text, characters, bytes, room, &length)
				 == GL_OK);
	FUZZ_REQUIRE(length == size);
	FUZZ_REQUIRE(size == 0 || memcmp(bytes, data, size) == 0);
	free(bytes);
	free(text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FuzzHost	fuzz;
	GlHost	   *host = fuzz_host_begin(&fuzz, 0);

	try_text(host, data, size);
	try_bytes(host, data, size);
	fuzz_host_end(&fuzz);
	return 0;
}
