/*
 * test_base64.c
 *		If this fails, the text of a value in a dump does not restore, or text
 *		that is no base64 is taken for a value.
 */
#include "unit_test.h"

#include "codec/base64.h"

/* Encode into an exact chunk with a terminating zero of ours. */
static char *
encode(GlHost *host, const void *bytes, size_t length)
{
	size_t		characters = 0;
	char	   *text;

	EXPECT(base64_encoded_size(length, &characters));
	text = malloc(characters + 1);
	EXPECT_OK(host, base64_encode(host, bytes, length, text, characters));
	text[characters] = '\0';
	return text;
}

/* Decode from and into chunks of exactly the length needed. */
static GlStatus
decode(GlHost *host, const char *text, size_t characters,
	   unsigned char **bytes, size_t *length)
{
	size_t		room = base64_decoded_limit(characters);
	char	   *source = malloc(characters);
	GlStatus	status;

	memcpy(source, text, characters);
	*bytes = malloc(room);
	status = base64_decode(host, source, characters, *bytes, room, length);
	free(source);
	return status;
}

/* RFC 4648, section 10. */
static void
test_rfc_vectors(void)
{
	static const char *const pairs[][2] = {
		{"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"},
		{"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"},
		{"\xfb\xff\xfe", "+//+"}
	};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
	{
		char	   *text = encode(host, pairs[i][0], strlen(pairs[i][0]));
		unsigned char *bytes;
		size_t		length;

		EXPECT(strcmp(text, pairs[i][1]) == 0);
		EXPECT_OK(host, decode(host, text, strlen(text), &bytes, &length));
		EXPECT(length == strlen(pairs[i][0]) &&
			   memcmp(bytes, pairs[i][0], length) == 0);
		free(text);
		free(bytes);
	}
	test_host_end(&test);
}

/* Random bytes of every length, with white space strewn in. */
static void
test_round_trips(void)
{
	static const char spaces[] = " \t\n\v\f\r";
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;

	gl_random_begin(&random, 7);
	for (size_t length = 0; length < 400; length++)
	{
		unsigned char source[400];
		char		broken[3000];
		size_t		characters = 0;
		char	   *text;
		unsigned char *bytes;
		size_t		back;

		for (size_t i = 0; i < length; i++)
			source[i] = (unsigned char) gl_random_bits(&random);
		text = encode(host, source, length);
		EXPECT_OK(host, decode(host, text, strlen(text), &bytes, &back));
		EXPECT(back == length && memcmp(bytes, source, length) == 0);
		free(bytes);
		for (const char *from = text; *from != '\0'; from++)
		{
			while (gl_random_below(&random, 4) == 0)
				broken[characters++] = spaces[gl_random_below(&random, 6)];
			broken[characters++] = *from;
		}
		broken[characters++] = '\n';
		EXPECT_OK(host, decode(host, broken, characters, &bytes, &back));
		EXPECT(back == length && memcmp(bytes, source, length) == 0);
		free(bytes);
		free(text);
	}
	test_host_end(&test);
}

/* Whatever is accepted encodes to the same text. */
static void
test_only_one_text(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	int			accepted = 0;

	for (int a = 0; a < 256; a++)
		for (int b = 0; b < 256; b++)
		{
			char		text[4] = {'Z', (char) a, (char) b, '='};
			unsigned char *bytes;
			size_t		length;

			if (decode(host, text, 4, &bytes, &length) == GL_OK)
			{
				char	   *again = encode(host, bytes, length);

				EXPECT(memcmp(again, text, 4) == 0);
				free(again);
				accepted++;
			}
			else
				EXPECT(length == 0 && host->status == GL_ERR_DATA);
			free(bytes);
		}
	/* "Zxy=" with two free bits in y: 64 * 16; "Zx==" with four: 4 */
	EXPECT(accepted == 64 * 16 + 4);
	test_host_end(&test);
}

static void
test_refused_texts(void)
{
	static const char *const texts[] = {
		"Z", "Zg", "Zg=", "Zm8", "=", "==", "===", "====", "Z===", "A===",
		"Zg===", "Zg==Zg==", "Zm8=Zm9v", "Zg==x", "Zg=x", "Zg=x=", "Zg== =",
		"Zh==", "Zm9=", "Zm9v=", "Zm9v====", "Zm-v", "Zm_v", "Zm9v!",
		"!Zm9v", "Zm9v\x80", "Zm9vZ", "Zm9vZg", "Zm9v\xe2\x80\x8b", "\\x00"
	};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	unsigned char *bytes;
	size_t		length;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
	{
		EXPECT(decode(host, texts[i], strlen(texts[i]), &bytes, &length) ==
			   GL_ERR_DATA);
		EXPECT(length == 0);
		EXPECT(strstr(host->message, "base64") != NULL);
		free(bytes);
	}
	/* a zero byte is no digit and no end */
	EXPECT(decode(host, "Zm9v\0", 5, &bytes, &length) == GL_ERR_DATA);
	EXPECT(strstr(host->message, "position 5") != NULL);
	free(bytes);
	/* white space alone is the text of nothing */
	EXPECT_OK(host, decode(host, " \n", 2, &bytes, &length));
	EXPECT(length == 0);
	free(bytes);
	test_host_end(&test);
}

/* The arithmetic where an int would long have wrapped. */
static void
test_sizes(void)
{
	size_t		characters = 1;

	EXPECT(base64_encoded_size((size_t) 700 << 20, &characters));
	EXPECT(characters == 978670936);
	EXPECT(characters < (size_t) 1 << 30);	/* fits one text value */
	EXPECT(base64_decoded_limit(characters) >= (size_t) 700 << 20);
	EXPECT(base64_encoded_size(SIZE_MAX / 4 * 3, &characters));
	EXPECT(!base64_encoded_size(SIZE_MAX, &characters));
	EXPECT(!base64_encoded_size(SIZE_MAX / 4 * 3 + 1, &characters));
	EXPECT(base64_decoded_limit(SIZE_MAX) == SIZE_MAX / 4 * 3);
}

static void
test_wrong_room(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	unsigned char bytes[8] = {0};
	char		text[8];
	size_t		length;

	EXPECT(base64_encode(host, bytes, 3, text, 3) == GL_ERR_INTERNAL);
	EXPECT(base64_encode(host, bytes, 3, text, 5) == GL_ERR_INTERNAL);
	EXPECT(base64_decode(host, "Zm9v", 4, bytes, 2, &length) ==
		   GL_ERR_INTERNAL);
	test_host_end(&test);
}

/* Several blocks long, with and without line ends. */
static GlStatus
long_text(GlHost *host)
{
	size_t		length = 200000;
	size_t		characters;
	size_t		back;
	unsigned char *source;
	unsigned char *bytes;
	char	   *text;

	GL_NEW(host, source, length);
	GL_NEW(host, bytes, length + 3);
	for (size_t i = 0; i < length; i++)
		source[i] = (unsigned char) (i * i >> 3);
	if (!base64_encoded_size(length, &characters))
		return GL_ERR_INTERNAL;
	GL_NEW(host, text, characters);
	GL_TRY(base64_encode(host, source, length, text, characters));
	GL_TRY(base64_decode(host, text, characters, bytes, length + 3, &back));
	EXPECT(back == length && memcmp(bytes, source, length) == 0);
	/* a fault behind many good groups is found where it is */
	text[characters - 70000] = '-';
	EXPECT(base64_decode(host, text, characters, bytes, length + 3, &back) !=
		   GL_OK);
	if (host->status == GL_ERR_INTERRUPTED)
		return GL_ERR_INTERRUPTED;
	gl_release(host, source);
	gl_release(host, bytes);
	gl_release(host, text);
	return GL_OK;
}

static void
test_long_text_refused(void)
{
	test_refusals(long_text);
}

int
main(void)
{
	RUN(test_rfc_vectors);
	RUN(test_round_trips);
	RUN(test_only_one_text);
	RUN(test_refused_texts);
	RUN(test_sizes);
	RUN(test_wrong_room);
	RUN(test_long_text_refused);
	UNIT_TEST_END();
}
