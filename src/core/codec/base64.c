/*
 * base64.c
 *		Encode in groups of three bytes, decode in groups of four digits.
 *
 * Decoding has two speeds: runs of four digits without anything between
 * them, and one character at a time around line ends and at the padding.
 * Both feed the same group, so there is one place that writes bytes.
 */
#include "codec/base64.h"

#include "base/checked.h"

/* Groups between two polls. */
#define BLOCK_GROUPS	((size_t) 16 * 1024)

static const char digits[64] =
"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/*
 * What a character is: its digit + 1, so that whatever the table does not
 * name is 0, an error.
 */
#define IS_PADDING	65
#define IS_SPACE	66

static const unsigned char classes[256] = {
	['A'] = 1, ['B'] = 2, ['C'] = 3, ['D'] = 4, ['E'] = 5, ['F'] = 6,
	['G'] = 7, ['H'] = 8, ['I'] = 9, ['J'] = 10, ['K'] = 11, ['L'] = 12,
	['M'] = 13, ['N'] = 14, ['O'] = 15, ['P'] = 16, ['Q'] = 17, ['R'] = 18,
	['S'] = 19, ['T'] = 20, ['U'] = 21, ['V'] = 22, ['W'] = 23, ['X'] = 24,
	['Y'] = 25, ['Z'] = 26, ['a'] = 27, ['b'] = 28, ['c'] = 29, ['d'] = 30,
	['e'] = 31, ['f'] = 32, ['g'] = 33, ['h'] = 34, ['i'] = 35, ['j'] = 36,
	['k'] = 37, ['l'] = 38, ['m'] = 39, ['n'] = 40, ['o'] = 41, ['p'] = 42,
	['q'] = 43, ['r'] = 44, ['s'] = 45, ['t'] = 46, ['u'] = 47, ['v'] = 48,
	['w'] = 49, ['x'] = 50, ['y'] = 51, ['z'] = 52, ['0'] = 53, ['1'] = 54,
	['2'] = 55, ['3'] = 56, ['4'] = 57, ['5'] = 58, ['6'] = 59, ['7'] = 60,
	['8'] = 61, ['9'] = 62, ['+'] = 63, ['/'] = 64,
	['='] = IS_PADDING,
	[' '] = IS_SPACE, ['\t'] = IS_SPACE, ['\n'] = IS_SPACE,
	['\v'] = IS_SPACE, ['\f'] = IS_SPACE, ['\r'] = IS_SPACE
};

bool
base64_encoded_size(size_t bytes, size_t *characters)
{
	return gl_size_multiply(bytes / 3 + (bytes % 3 != 0), 4, characters);
}

size_t
base64_decoded_limit(size_t characters)
{
	return characters / 4 * 3;
}

static void
encode_group(const unsigned char *from, char *to)
{
	to[0] = digits[from[0] >> 2];
	to[1] = digits[(from[0] & 3) << 4 | from[1] >> 4];
	to[2] = digits[(from[1] & 15) << 2 | from[2] >> 6];
	to[3] = digits[from[2] & 63];
}

GlStatus
base64_encode(GlHost *host, const unsigned char *source, size_t bytes,
			  char *destination, size_t characters)
{
	size_t		groups = bytes / 3;
	size_t		rest = bytes % 3;
	size_t		wanted;
	size_t		block;

	if (!base64_encoded_size(bytes, &wanted) || wanted != characters)
		return gl_fail(host, GL_ERR_INTERNAL,
					   "%zu characters of room for the base64 of %zu bytes",
					   characters, bytes);
	for (size_t done = 0; done < groups; done += block)
	{
		block = groups - done < BLOCK_GROUPS ? groups - done : BLOCK_GROUPS;
		for (size_t i = done; i < done + block; i++)
			encode_group(source + 3 * i, destination + 4 * i);
		GL_TRY(gl_work(host, (int64_t) block * 4));
	}
	if (rest > 0)
	{
		unsigned char last[3] = {0, 0, 0};
		char	   *to = destination + 4 * groups;

		for (size_t i = 0; i < rest; i++)
			last[i] = source[3 * groups + i];
		encode_group(last, to);
		to[3] = '=';
		if (rest == 1)
			to[2] = '=';
	}
	return GL_OK;
}

/* Where decoding stands. */
typedef struct Decoder
{
	const unsigned char *source;
	size_t		characters;
	size_t		position;		/* in source */
	unsigned char *destination;
	size_t		written;
	uint32_t	group;			/* digits of the group so far */
	int			digit_count;	/* 0..3 */
	int			padding_count;	/* 1 or 2: nothing may follow but padding */
} Decoder;

/*
 * Whole groups without interruption, at most a block of them.  Digits have no
 * bit beyond 63; every other class, less 1, has one.
 */
static void
decode_run(Decoder *decoder)
{
	const unsigned char *from = decoder->source + decoder->position;
	unsigned char *to = decoder->destination + decoder->written;
	size_t		groups = (decoder->characters - decoder->position) / 4;
	size_t		done = 0;

	if (groups > BLOCK_GROUPS)
		groups = BLOCK_GROUPS;
	for (; done < groups; done++, from += 4, to += 3)
	{
		uint32_t	a = classes[from[0]] - 1U;
		uint32_t	b = classes[from[1]] - 1U;
		uint32_t	c = classes[from[2]] - 1U;
		uint32_t	d = classes[from[3]] - 1U;

		if ((a | b | c | d) > 63)
			break;
		to[0] = (unsigned char) (a << 2 | b >> 4);
		to[1] = (unsigned char) (b << 4 | c >> 2);
		to[2] = (unsigned char) (c << 6 | d);
	}
	decoder->position += 4 * done;
	decoder->written += 3 * done;
}

static GlStatus
fail_character(GlHost *host, const Decoder *decoder)
{
	return gl_fail(host, GL_ERR_DATA,
				   "invalid base64: unexpected character at position %zu",
				   decoder->position + 1);
}

/* A digit completes a group of four, or waits for the rest of it. */
static void
take_digit(Decoder *decoder, uint32_t digit)
{
	unsigned char *to = decoder->destination + decoder->written;

	decoder->group = decoder->group << 6 | digit;
	if (++decoder->digit_count < 4)
		return;
	to[0] = (unsigned char) (decoder->group >> 16);
	to[1] = (unsigned char) (decoder->group >> 8);
	to[2] = (unsigned char) decoder->group;
	decoder->written += 3;
	decoder->group = 0;
	decoder->digit_count = 0;
}

/*
 * Two digits and "==" are one byte with four bits left over, three digits and
 * "=" two bytes with two left over; bits left over must be zero.
 */
static GlStatus
take_padding(GlHost *host, Decoder *decoder)
{
	unsigned char *to = decoder->destination + decoder->written;
	int			seen = decoder->digit_count + ++decoder->padding_count;

	if (decoder->digit_count < 2 || seen > 4)
		return fail_character(host, decoder);
	if (seen < 4)
		return GL_OK;
	if ((decoder->group & (decoder->padding_count == 2 ? 15 : 3)) != 0)
		return gl_fail(host, GL_ERR_DATA,
					   "invalid base64: bits left over at the end");
	if (decoder->padding_count == 2)
	{
		to[0] = (unsigned char) (decoder->group >> 4);
		decoder->written += 1;
	}
	else
	{
		to[0] = (unsigned char) (decoder->group >> 10);
		to[1] = (unsigned char) (decoder->group >> 2);
		decoder->written += 2;
	}
	return GL_OK;
}

/* One character, whatever it is. */
static GlStatus
decode_character(GlHost *host, Decoder *decoder)
{
	unsigned char class = classes[decoder->source[decoder->position]];

	if (class == IS_PADDING)
		GL_TRY(take_padding(host, decoder));
	else if (class != IS_SPACE)
	{
		if (class == 0 || decoder->padding_count > 0)
			return fail_character(host, decoder);
		take_digit(decoder, class - 1U);
	}
	decoder->position++;
	return GL_OK;
}

GlStatus
base64_decode(GlHost *host, const char *source, size_t characters,
			  unsigned char *destination, size_t room, size_t *bytes)
{
	Decoder		decoder = {
		.source = (const unsigned char *) source,
		.characters = characters,
		.destination = destination
	};

	*bytes = 0;
	if (room < base64_decoded_limit(characters))
		return gl_fail(host, GL_ERR_INTERNAL,
					   "%zu bytes of room to decode %zu characters", room,
					   characters);
	while (decoder.position < characters)
	{
		size_t		before = decoder.position;

		if (decoder.digit_count == 0 && decoder.padding_count == 0)
			decode_run(&decoder);
		if (decoder.position < characters)
			GL_TRY(decode_character(host, &decoder));
		GL_TRY(gl_work(host, (int64_t) (decoder.position - before)));
	}
	if (decoder.digit_count + decoder.padding_count != 0 &&
		decoder.digit_count + decoder.padding_count != 4)
		return gl_fail(host, GL_ERR_DATA,
					   "invalid base64: it ends within a group of four");
	*bytes = decoder.written;
	return GL_OK;
}
