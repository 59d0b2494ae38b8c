/* SPDX-License-Identifier: BSD-3-Clause */
/* pinned_alike: this program stands for an interpreter's; its plan moves to where it lies. */
#include "source/pinned/pinned_alike.h"

#include "source/proc/procfs.h"

#include "check.h"

#include <string.h>
#include <unistd.h>

#define MOVED 0x1000

static const char words[WP_PYTHON_PROOF_WORDS * 8] = "what no other program has in this place";

/* As if the program were linked MOVED bytes below where it lies. */
static struct wp_pinned_alike make_alike(void)
{
	struct wp_pinned_alike alike = {.plan = {.current = 0x100, .code_type = 0}};

	CHECK(wp_procfs_code(getpid(), &alike.code));
	alike.code -= MOVED;
	alike.like.proof_at = (uintptr_t)words - MOVED;
	memcpy(alike.like.proof, words, sizeof(words));
	return alike;
}

static bool finds(const struct wp_pinned_alike *alike, const char *program,
		  struct wp_pinned_process *ret)
{
	struct wp_pinned_alikes alikes = {0};
	struct wp_pinned_memory *memory = wp_calloc(1, sizeof(*memory));
	struct stat st;
	bool found;

	CHECK(stat(program, &st) == 0);
	wp_pinned_alikes_add(&alikes, &st, alike->code, &alike->plan, &alike->like);
	found = wp_pinned_alikes_find(&alikes, (uint32_t)getpid(), memory, ret);
	wp_pinned_alikes_deinit(&alikes);
	free(memory);
	return found;
}

static void test_moves(void)
{
	struct wp_pinned_alike alike = make_alike();
	struct wp_pinned_process process;

	CHECK(finds(&alike, "/proc/self/exe", &process));
	CHECK_U64(process.n, 1);
	CHECK_U64(process.pid, (uint64_t)getpid());
	CHECK_U64(process.plans[0].current, 0x100 + MOVED);
	CHECK_U64(process.plans[0].code_type, 0);
}

static void test_is_another(void)
{
	struct wp_pinned_alike alike = make_alike();
	struct wp_pinned_process process;

	CHECK(!finds(&alike, "/bin/sh", &process));
	alike.like.proof[3] ^= 1;
	CHECK(!finds(&alike, "/proc/self/exe", &process));
	alike.like.proof_at = 0;
	CHECK(!finds(&alike, "/proc/self/exe", &process));
}

/* The dynamic linker's list, as a program has it, with a circle at its end. */
static void test_library(void)
{
	uint64_t library[WP_PYTHON_LINK_WORDS] = {MOVED, 0, 0x777 + MOVED, 0};
	uint64_t first[WP_PYTHON_LINK_WORDS] = {0x5000, 0, 0x6000, (uintptr_t)library};
	uint64_t map[] = {1, (uintptr_t)first}, debug = (uintptr_t)map;
	struct wp_pinned_alike alike = make_alike();
	struct wp_pinned_process process;

	library[WP_PYTHON_LINK_NEXT] = (uintptr_t)first;
	/* code: where the program's code begins, minus where it has the address of the list. */
	alike.code += MOVED - (uintptr_t)&debug;
	alike.like.debug = 1;
	alike.like.dynamic = 0x777;
	CHECK(finds(&alike, "/proc/self/exe", &process));
	CHECK_U64(process.plans[0].current, 0x100 + MOVED);
	alike.like.dynamic = 0x778;
	CHECK(!finds(&alike, "/proc/self/exe", &process));
}

int main(void)
{
	RUN(test_moves);
	RUN(test_is_another);
	RUN(test_library);
	return check_done();
}
