/*
 * base64.h
 *		The text form of a value: base64 (RFC 4648, section 4) of any length.
 *
 * Reads:	bytes, or text that nobody vouches for.
 * Yields:	text on one line, or the bytes.
 *
 * The server's own encoder counts in int and stops near 512 MiB; this one
 * counts in size_t.  Decoding is strict, so that a value has one text: only
 * the 64 digits, "=" where and only where it is due, and no bits left over
 * in the last digit.  ASCII white space is passed over anywhere, because
 * people and tools break long lines.
 */
#ifndef BASE64_H
#define BASE64_H

#include "base/host.h"

/*
 * Characters that `bytes` bytes become; false, *characters untouched, if the
 * number does not fit a size_t.  No terminating zero is counted or written.
 */
extern bool base64_encoded_size(size_t bytes, size_t *characters);

/*
 * Fill destination, which has exactly base64_encoded_size() characters
 * (GL_ERR_INTERNAL otherwise).  O(bytes), polled.
 */
extern GlStatus base64_encode(GlHost *host, const unsigned char *source,
							  size_t bytes, char *destination,
							  size_t characters);

/* Room that decoding so many characters may need, white space included. */
extern size_t base64_decoded_limit(size_t characters);

/*
 * Decode all of source into destination, which has room for
 * base64_decoded_limit(characters) bytes (GL_ERR_INTERNAL if `room` is less);
 * *bytes is what was written, 0 on failure.  GL_ERR_DATA, naming the
 * position, if source is not base64.  O(characters), polled.
 */
extern GlStatus base64_decode(GlHost *host, const char *source,
							  size_t characters, unsigned char *destination,
							  size_t room, size_t *bytes);

#endif							/* BASE64_H */
