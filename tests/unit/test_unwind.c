/* SPDX-License-Identifier: BSD-3-Clause */
/* The offline unwinder on this very program: its own registers and a copy of its own stack. */
#include "check.h"
#include "base/file.h"
#include "format/maps/proc_maps.h"
#include "resolve/resolver.h"
#include "resolve/resolver_mapping.h"
#include "resolve/resolver_stack.h"
#include "own_regs.h"

#include <unistd.h>

static struct wp_processes processes;

#define COPY (1u << 20)

#if defined(__SANITIZE_ADDRESS__)
#define NO_ASAN __attribute__((no_sanitize_address))
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define NO_ASAN __attribute__((no_sanitize_address))
#endif
#endif
#ifndef NO_ASAN
#define NO_ASAN
#endif

static struct wp_resolver *resolver;
static struct wp_stack_regs regs;
static uint8_t dump[COPY];
static size_t dump_bytes;
static uint64_t stack_top;
static struct wp_stack stack;

static void map_self(void)
{
	wp_autofree char *text = NULL;
	wp_autofree char *whole = NULL;
	struct wp_record r = {.kind = WP_RECORD_MAP, .pid = (uint32_t)getpid()};

	CHECK_OK(wp_file_read("/proc/self/maps", 64 << 20, &text, NULL));
	whole = wp_strdup(text);
	for (char *at = text; wp_proc_maps_next(&at, &r.map);)
		wp_processes_take(&processes, &r);
	char *line = strstr(whole, "[stack]");
	while (line > whole && line[-1] != '\n')
		line--;
	stack_top = line ? strtoull(strchr(line, '-') + 1, NULL, 16) : 0;
}

/* Registers and stack of here, as a sample would bring them. */
static NO_ASAN __attribute__((noinline)) void capture(void)
{
	ucontext_t u;

	getcontext(&u);
	regs = (struct wp_stack_regs){0};
	uint64_t sp = own_regs(&u, &regs);
	dump_bytes = stack_top - sp < COPY ? stack_top - sp : COPY;
	for (size_t i = 0; i < dump_bytes; i++)
		dump[i] = ((const volatile uint8_t *)sp)[i];
}

static __attribute__((noinline)) int deep(int n)
{
	volatile int keep = n;

	if (n)
		keep += deep(n - 1);
	else
		capture();
	return keep + 1;
}

static struct wp_record sample_of(const struct wp_stack_raw *raw, enum wp_cpumode mode, uint64_t ip)
{
	struct wp_record r = {.kind = WP_RECORD_SAMPLE, .pid = (uint32_t)getpid()};

	r.sample.mode = mode;
	r.sample.ip.v = ip;
	r.sample.stack = raw;
	return r;
}

static uint64_t captured_ip(void)
{
	return regs.r[regs.valid >> 32 ? 32 : 16];
}

static void unwind(size_t bytes)
{
	struct wp_stack_raw raw = {.regs = &regs, .dump = dump, .dump_bytes = bytes};
	struct wp_record sample = sample_of(&raw, WP_MODE_USER, captured_ip());

	wp_resolver_stack(resolver, &sample, &stack);
}

static const char *name_at(size_t i)
{
	struct wp_record sample = sample_of(NULL, WP_MODE_USER, 0);
	struct wp_va ip = {stack.frames[i].ip.v - (i > stack.n_kernel)};
	struct wp_rva rva;
	uint32_t id = wp_resolver_symbol_at(
		resolver, &sample, ip, i < stack.n_kernel ? WP_MODE_KERNEL : WP_MODE_USER, &rva);
	const char *name = wp_resolver_symbols(resolver)->symbols.v[id].name;

	return name ? name : "";
}

static size_t count(const char *name)
{
	size_t n = 0;

	for (size_t i = 0; i < stack.n_user; i++)
		n += strcmp(name_at(i), name) == 0;
	return n;
}

static void test_whole_stack(void)
{
	deep(10);
	unwind(dump_bytes);
	CHECK_U64(stack.end, WP_STACK_COMPLETE);
	CHECK_U64(stack.n_kernel, 0);
	CHECK_STR(name_at(0), "capture");
	CHECK_U64(count("deep"), 11);
	CHECK_U64(count("main"), 1);
	CHECK_STR(name_at(stack.n_user - 1), "_start");
	for (size_t i = 1; i < stack.n_user; i++)
		CHECK(stack.frames[i].sp > stack.frames[i - 1].sp);
}

static void test_cut(void)
{
	deep(10);
	unwind(dump_bytes);
	size_t whole = stack.n_user;
	uint64_t middle = stack.frames[6].sp - stack.frames[0].sp;
	unwind(middle);
	CHECK_U64(stack.end, WP_STACK_CUT);
	CHECK(stack.n_user < whole && stack.n_user >= 5);
	unwind(0);
	CHECK_U64(stack.end, WP_STACK_CUT);
	CHECK_U64(stack.n_user, 1);
}

static void test_too_deep(void)
{
	deep(WP_STACK_MAX + 100);
	unwind(dump_bytes);
	CHECK(stack.end == WP_STACK_TOO_DEEP || dump_bytes == COPY);
	CHECK(stack.n_user == WP_STACK_MAX || dump_bytes == COPY);
}

static void test_nonsense(void)
{
	uint64_t state = 88172645463325252u;

	deep(20);
	/* Random words on the stack: whatever comes out, it ends. */
	for (int round = 0; round < 200; round++) {
		for (int i = 0; i < 20; i++) {
			state ^= state << 13, state ^= state >> 7, state ^= state << 17;
			dump[state % dump_bytes] ^= (uint8_t)(state >> 32);
		}
		unwind(dump_bytes);
		CHECK(stack.n_user >= 1 && stack.n_user <= WP_STACK_MAX);
	}
	regs.r[regs.valid >> 32 ? 31 : 7] = UINT64_MAX - 7;
	unwind(dump_bytes);
	CHECK(stack.n_user >= 1 && stack.end != WP_STACK_COMPLETE);
}

static void test_ready_made_parts(void)
{
	const uint64_t kernel[] = {0xffffffff81000010, 0xffffffff81000100};
	const struct wp_stack_frame walked[] = {{{0x111}, 0x7000}, {{0x222}, 0x7010}};
	struct wp_stack_raw raw = {.kernel_ips = kernel,
				   .n_kernel = 2,
				   .walked = walked,
				   .n_walked = 2,
				   .walked_end = WP_STACK_NO_RULE};
	struct wp_record sample = sample_of(&raw, WP_MODE_KERNEL, kernel[0]);

	wp_resolver_stack(resolver, &sample, &stack);
	CHECK_U64(stack.n_kernel, 2);
	CHECK_U64(stack.n_user, 2);
	CHECK_U64(stack.frames[2].ip.v, 0x111);
	CHECK_U64(stack.frames[3].sp, 0x7010);
	CHECK_U64(stack.end, WP_STACK_NO_RULE);

	const uint64_t chain[] = {captured_ip(), 0x1234};
	raw = (struct wp_stack_raw){.user_ips = chain, .n_user = 2};
	sample = sample_of(&raw, WP_MODE_USER, captured_ip());
	wp_resolver_stack(resolver, &sample, &stack);
	CHECK_U64(stack.n_user, 2);
	CHECK_U64(stack.frames[1].ip.v, 0x1234);
	CHECK_U64(stack.frames[1].sp, 0);
	CHECK(stack.end != WP_STACK_COMPLETE);

	sample = sample_of(NULL, WP_MODE_USER, 0x42);
	wp_resolver_stack(resolver, &sample, &stack);
	CHECK_U64(stack.n_user, 1);
	CHECK_U64(stack.frames[0].ip.v, 0x42);
	sample = sample_of(NULL, WP_MODE_KERNEL, kernel[0]);
	wp_resolver_stack(resolver, &sample, &stack);
	CHECK_U64(stack.n_kernel, 1);
	CHECK_U64(stack.n_user, 0);
}

static void test_no_module(void)
{
	deep(1);
	regs.r[regs.valid >> 32 ? 32 : 16] = 0x10;
	unwind(dump_bytes);
	CHECK_U64(stack.n_user, 1);
	CHECK_U64(stack.end, WP_STACK_NO_MODULE);
}

static void test_table(void)
{
	struct wp_resolver_image *images;
	size_t n = wp_resolver_images(resolver, (uint32_t)getpid(), &images), with = 0;

	for (size_t i = 0; i < n; i++) {
		struct wp_image *image = wp_resolver_module(resolver, images[i].module);
		const struct wp_unwind_rows *rows = NULL, *again = NULL;

		if (!image)
			continue;
		wp_resolver_rows(resolver, image, WP_IMAGE_WAIT, &rows);
		wp_resolver_rows(resolver, image, WP_IMAGE_WAIT, &again);
		with += rows && rows->rows.n > 10;
		CHECK(rows == again);
	}
	CHECK(with >= 2); /* this program and libc */
	CHECK(!wp_resolver_module(resolver, 99999));
	free(images);
}

int main(void)
{
	struct wp_resolver_options options = {.processes = &processes};

	setenv("XDG_CACHE_HOME", "/proc/none", 1);
	resolver = wp_resolver_new(&options);
	map_self();
	RUN(test_whole_stack);
	RUN(test_cut);
	RUN(test_too_deep);
	RUN(test_nonsense);
	RUN(test_ready_made_parts);
	RUN(test_no_module);
	RUN(test_table);
	wp_resolver_free(resolver);
	wp_processes_deinit(&processes);
	return check_done();
}
