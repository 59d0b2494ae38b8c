/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_codes: reads the code objects of a running interpreter from its memory and compares them
 * with what it says of them itself; a tool for the tests.
 *
 *	python_codes <STREAM		what python_codes_oracle.py writes; one line of figures
 *
 * The stream: "PID PATH" of the process and of its CPython's file; then per code object {address in
 * hex, name, file name, lasti:line...} separated by tabs, names in hexadecimal UTF-8; then "end".
 */
#include "walk/python_id.h"
#include "runtime/python_build.h"
#include "runtime/python_code.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define SHOWN 10

struct process {
	pid_t pid;
	struct wp_memory memory;
	struct wp_python_build *build;
	struct wp_python_plan plan;
	struct wp_python_codes codes;
	uint64_t objects, lines, differences;
};

static bool read_process(void *arg, uint64_t addr, void *ret, size_t n)
{
	const struct process *p = arg;
	struct iovec to = {ret, n}, from = {(void *)(uintptr_t)addr, n};

	return process_vm_readv(p->pid, &to, 1, &from, 1, 0) == (ssize_t)n;
}

/* The identity that a walker would have brought with a frame when it could not read the texts. */
static uint32_t identity(const struct process *p, uint64_t addr)
{
	uint64_t name = 0, filename = 0, lines = 0;
	uint32_t first_line = 0;

	p->memory.read(p->memory.arg, addr + p->plan.code_name, &name, 8);
	p->memory.read(p->memory.arg, addr + p->plan.code_filename, &filename, 8);
	p->memory.read(p->memory.arg, addr + p->plan.code_lines, &lines, 8);
	p->memory.read(p->memory.arg, addr + p->plan.code_first_line, &first_line, 4);
	return wp_python_id(name, filename, lines, first_line, 0);
}

static void differs(struct process *p, uint64_t addr, const char *what, const char *got)
{
	if (p->differences++ < SHOWN)
		printf("code object at %" PRIx64 ": %s: %.200s\n", addr, what, got);
}

/* Whether a text is the one that these hexadecimal digits say. */
static bool is_text(const char *text, const char *digits)
{
	size_t n = strlen(text);

	for (size_t i = 0; i < n; i++) {
		char two[3];

		snprintf(two, sizeof(two), "%02x", (unsigned char)text[i]);
		if (strncmp(digits + 2 * i, two, 2) != 0)
			return false;
	}
	return digits[2 * n] == '\0';
}

static void compare_lines(struct process *p, struct wp_python_code *code, char *answers)
{
	for (char *save, *word = strtok_r(answers, "\t\n", &save); word;
	     word = strtok_r(NULL, "\t\n", &save)) {
		int32_t lasti, line;

		if (sscanf(word, "%d:%d", &lasti, &line) != 2)
			continue;
		p->lines++;
		if (wp_python_code_line(code, lasti) != (line > 0 ? (uint32_t)line : 0))
			differs(p, code->addr, "its line at lasti:line", word);
	}
}

static void compare(struct process *p, char *text)
{
	char *save, *addr_text = strtok_r(text, "\t\n", &save);
	char *name = strtok_r(NULL, "\t\n", &save), *filename = strtok_r(NULL, "\t\n", &save);

	if (!filename)
		return;
	uint64_t addr = strtoull(addr_text, NULL, 16);
	uint32_t id = identity(p, addr);
	p->objects++;
	if (!wp_python_codes_read(&p->codes, &p->memory, &p->plan, p->build->lines, addr, id)) {
		differs(p, addr, "cannot be read", name);
		return;
	}
	struct wp_python_code *code = wp_python_codes_find(&p->codes, p->plan.generation, addr, id);
	if (!is_text(code->name, name))
		differs(p, addr, "its name is not what we read", code->name);
	if (!is_text(code->filename, filename))
		differs(p, addr, "its file is not what we read", code->filename);
	compare_lines(p, code, save);
}

static struct wp_err *open_process(struct process *p, char *head)
{
	char *path = strchr(head, ' ');

	if (!path)
		return wp_err_new(WP_ERR_NOT_FOUND, "no process");
	head[strcspn(head, "\n")] = '\0';
	p->pid = atoi(head);
	wp_autofree char *file = wp_asprintf("/proc/%d/root%s", (int)p->pid, path + 1);
	wp_autoclose int fd = open(file, O_RDONLY | O_CLOEXEC);
	TRY(wp_python_build_read(fd, file, &p->build));
	if (!p->build)
		return wp_err_new(WP_ERR_NOT_FOUND, "no CPython in %s", file);
	p->plan = p->build->layout;
	p->plan.code_type = 0; /* its address is a linked one */
	p->memory = (struct wp_memory){read_process, p};
	return NULL;
}

int main(void)
{
	struct process p = {0};
	wp_autofree char *line = NULL;
	size_t cap = 0;

	wp_autoerr struct wp_err *err = getline(&line, &cap, stdin) < 0
						? wp_err_new(WP_ERR_NOT_FOUND, "no stream")
						: open_process(&p, line);
	while (!err && getline(&line, &cap, stdin) > 0 && strcmp(line, "end\n") != 0)
		compare(&p, line);
	if (err)
		printf("%s\n", err->text);
	else
		printf("%" PRIu64 " code objects, %" PRIu64 " lines, %" PRIu64 " differences\n",
		       p.objects, p.lines, p.differences);
	wp_python_codes_deinit(&p.codes);
	wp_python_build_free(p.build);
	return err || p.differences || !p.lines;
}
