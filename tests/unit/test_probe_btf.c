/* SPDX-License-Identifier: BSD-3-Clause */
/* test_probe_btf: parameters of functions that every kernel has, by the running kernel's own BTF.
 */
#include "resolve/probe/probe_btf.h"

#include "check.h"

#include <string.h>
#include <unistd.h>

static struct wp_err *find(const char *function, const char *name, struct wp_variable *ret)
{
	struct wp_probe_arg arg = {.name = name, .word = name};

	return wp_probe_btf_find("e", NULL, function, &arg, ret);
}

static bool has_libbpf(void)
{
	struct wp_variable found;
	wp_autoerr struct wp_err *err = find("do_exit", "code", &found);

	return !err || !strstr(err->text, "was built without");
}

/* ssize_t vfs_read(struct file *file, char __user *buf, size_t count, loff_t *pos); void
 * do_exit(long code) */
static void test_found(void)
{
	struct wp_variable found;

	CHECK_OK(find("vfs_read", "file", &found));
	CHECK(found.nth == 1 && found.operand.size == 8 && !found.is_text);
	CHECK_OK(find("vfs_read", "buf", &found));
	CHECK(found.nth == 2 && found.is_text);
	CHECK_OK(find("vfs_read", "count", &found));
	CHECK(found.nth == 3 && found.operand.size == 8 && !found.operand.is_signed);
	CHECK_OK(find("do_exit", "code", &found));
	CHECK(found.nth == 1 && found.operand.size == 8 && found.operand.is_signed);
	CHECK_OK(find("do_sys_openat2", "dfd", &found));
	CHECK(found.nth == 1 && found.operand.size == 4 && found.operand.is_signed);
}

static void test_refused(void)
{
	struct wp_variable found;
	struct wp_probe_arg arg = {.name = "x", .word = "x"};

	CHECK_ERR(find("vfs_read", "cuont", &found),
		  "event 'e': the function has no parameter cuont; it has file, buf, count, pos");
	CHECK_ERR(find("no_such_function", "x", &found),
		  "does not have the parameters of no_such_function");
	CHECK_ERR(wp_probe_btf_find("e", "no_such_module", "f", &arg, &found),
		  "no_such_module has no BTF");
}

int main(void)
{
	if (access("/sys/kernel/btf/vmlinux", R_OK)) {
		puts("SKIP: this kernel has no BTF");
		return 77;
	}
	if (!has_libbpf()) {
		puts("SKIP: built without libbpf");
		return 77;
	}
	RUN(test_found);
	RUN(test_refused);
	return check_done();
}
