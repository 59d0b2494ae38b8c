/* SPDX-License-Identifier: BSD-3-Clause */
/* kept_output: see kept_output.h. */
#include "source/proc/kept_output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KEPT_BYTES  (64u << 10)
#define CHUNK_BYTES 4096
#define LOOK_MS	    50 /* whether it is to end, while nothing comes */

struct wp_kept_output {
	pthread_t thread;
	int from, to; /* the ends of the pipe; -1: closed */
	atomic_bool ends;
	uint64_t all;	       /* bytes that came */
	char ring[KEPT_BYTES]; /* the last of them: byte i is at i modulo its size */
};

static void keep_output_bytes(struct wp_kept_output *output, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		output->ring[output->all++ % KEPT_BYTES] = bytes[i];
}

/* False when nothing will come any more. */
static bool take_output_chunk(struct wp_kept_output *output)
{
	char bytes[CHUNK_BYTES];
	ssize_t n = read(output->from, bytes, sizeof(bytes));

	if (n > 0)
		keep_output_bytes(output, bytes, (size_t)n);
	return n > 0 || (n < 0 && errno == EINTR);
}

/* In the end what the pipe holds is taken, no more: somebody may write for ever. */
static void *read_output(void *arg)
{
	struct wp_kept_output *output = arg;
	struct pollfd from = {.fd = output->from, .events = POLLIN};
	size_t left = KEPT_BYTES / CHUNK_BYTES;

	for (;;) {
		bool ends = atomic_load(&output->ends);
		int n = poll(&from, 1, ends ? 0 : LOOK_MS);

		if ((n == 0 && ends) || (n > 0 && !take_output_chunk(output)) ||
		    (ends && left-- == 0))
			return NULL;
	}
}

static void close_end(int *end)
{
	if (*end >= 0)
		close(*end);
	*end = -1;
}

/* Signals are for the others. */
static int start_reader(struct wp_kept_output *output)
{
	sigset_t all, before;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	error = pthread_create(&output->thread, NULL, read_output, output);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

struct wp_err *wp_kept_output_open(struct wp_kept_output **ret)
{
	struct wp_kept_output *output;
	int ends[2], error;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return wp_err_os(errno, "no pipe for the command's output");
	output = wp_calloc(1, sizeof(*output));
	output->from = ends[0];
	output->to = ends[1];
	error = start_reader(output);
	if (error) {
		close_end(&output->from);
		close_end(&output->to);
		free(output);
		return wp_err_os(error, "no thread for the command's output");
	}
	*ret = output;
	return NULL;
}

int wp_kept_output_end(const struct wp_kept_output *output)
{
	return output->to;
}

void wp_kept_output_started(struct wp_kept_output *output)
{
	close_end(&output->to);
}

/* Begins with a line, if there is one: what stands before may be the rest of a character. */
static uint64_t put_last_lines(const struct wp_kept_output *output, struct wp_str *end)
{
	uint64_t oldest = output->all > KEPT_BYTES ? output->all - KEPT_BYTES : 0, first = oldest;

	while (first < output->all && output->ring[first % KEPT_BYTES] != '\n')
		first++;
	first = oldest && first < output->all ? first + 1 : oldest;
	for (uint64_t at = first; at < output->all; at++)
		wp_str_append(end, &output->ring[at % KEPT_BYTES], 1);
	return first;
}

uint64_t wp_kept_output_close(struct wp_kept_output *output, struct wp_str *end)
{
	uint64_t before;

	if (!output)
		return 0;
	close_end(&output->to);
	atomic_store(&output->ends, true);
	pthread_join(output->thread, NULL);
	close_end(&output->from);
	before = put_last_lines(output, end);
	free(output);
	return before;
}
