/*
 * replay.c
 *		Run a fuzz target over the files of its corpus, without the engine.
 *
 * Linked with one fuzz_*.c, which defines LLVMFuzzerTestOneInput() and may
 * define LLVMFuzzerInitialize().  Arguments are files or folders.  An input
 * that breaks something dies under the sanitizer, with its name as the last
 * line printed.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static long input_count;

static void
replay_file(const char *path)
{
	FILE	   *file = fopen(path, "rb");
	uint8_t    *data;
	long		size;

	if (file == NULL || fseek(file, 0, SEEK_END) != 0 ||
		(size = ftell(file)) < 0)
	{
		printf("not ok cannot read %s\n", path);
		exit(1);
	}
	rewind(file);
	/* exactly as large as the input: one byte too far is seen */
	data = malloc(size > 0 ? (size_t) size : 1);
	if (data == NULL || fread(data, 1, (size_t) size, file) != (size_t) size)
	{
		printf("not ok cannot read %s\n", path);
		exit(1);
	}
	fclose(file);
	fprintf(stderr, "# %s\n", path);
	LLVMFuzzerTestOneInput(data, (size_t) size);
	free(data);
	input_count++;
}

static int
not_hidden(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void
replay(const char *path)
{
	struct dirent **entries;
	int			count = scandir(path, &entries, not_hidden, alphasort);

	if (count < 0)
	{
		replay_file(path);
		return;
	}
	for (int i = 0; i < count; i++)
	{
		char		name[4096];

		snprintf(name, sizeof(name), "%s/%s", path, entries[i]->d_name);
		replay(name);
		free(entries[i]);
	}
	free(entries);
}

int
main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		replay(argv[i]);
	if (input_count == 0)
	{
		printf("not ok %s has no corpus\n", argv[0]);
		return 1;
	}
	printf("ok %s: %ld inputs\n", argv[0], input_count);
	return 0;
}
