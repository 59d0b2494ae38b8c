/* SPDX-License-Identifier: BSD-3-Clause */
/* Output that is kept: its end, in whole lines, and that it ends although somebody goes on writing.
 */
#include "check.h"

#include "source/proc/kept_output.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct wp_kept_output *open_kept(void)
{
	struct wp_kept_output *output = NULL;
	wp_autoerr struct wp_err *err = wp_kept_output_open(&output);

	CHECK(!err);
	return output;
}

static void write_text(const struct wp_kept_output *output, const char *text)
{
	CHECK(write(wp_kept_output_end(output), text, strlen(text)) == (ssize_t)strlen(text));
}

static void test_keeps_all_that_is_short(void)
{
	struct wp_kept_output *output = open_kept();
	wp_autostr struct wp_str end = {0};

	write_text(output, "one\n");
	write_text(output, "two");
	wp_kept_output_started(output);
	CHECK(wp_kept_output_close(output, &end) == 0);
	CHECK_STR(end.s, "one\ntwo");
}

static void test_keeps_last_lines(void)
{
	struct wp_kept_output *output = open_kept();
	wp_autostr struct wp_str end = {0};
	uint64_t before;

	for (int i = 0; i < 20000; i++)
		write_text(output, "a line\n");
	before = wp_kept_output_close(output, &end);
	CHECK(before > 0 && before % 7 == 0);
	CHECK(before + end.len == 20000 * 7);
	CHECK(strncmp(end.s, "a line\n", 7) == 0);
}

/* What a command left behind has the pipe, too. */
static void test_ends_beside_endless_writer(void)
{
	struct wp_kept_output *output = open_kept();
	wp_autostr struct wp_str end = {0};
	static const char lines[1 << 20];
	pid_t writer = fork();

	if (writer == 0)
		while (write(wp_kept_output_end(output), lines, sizeof(lines)) > 0)
			;
	if (writer == 0)
		_exit(0);
	wp_kept_output_started(output);
	usleep(20000);
	wp_kept_output_close(output, &end);
	CHECK(end.len > 0);
	kill(writer, SIGKILL);
	waitpid(writer, NULL, 0);
}

int main(void)
{
	RUN(test_keeps_all_that_is_short);
	RUN(test_keeps_last_lines);
	RUN(test_ends_beside_endless_writer);
	return check_done();
}
