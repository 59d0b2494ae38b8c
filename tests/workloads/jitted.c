/*
 * jitted: code without frame pointers, assembled by hand into anonymous memory, and a jitdump that
 * says how it is unwound.
 *
 * jitted FOLDER SECONDS (of CPU time): writes FOLDER/jit-PID.dump. main calls jit_outer, which
 * calls jit_inner; after half of the time jit_inner is moved, jit_other (another frame size) is put
 * where it was, and the two take turns. rbp holds a number all the while.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#ifdef __x86_64__

typedef void (*spin_fn)(void);
typedef void (*outer_fn)(spin_fn);

struct piece {
	const char *name;
	uint8_t code[24];
	uint64_t code_size;
	uint8_t cfi[24]; /* the FDE's instructions */
	uint32_t cfi_size;
};

static const struct piece outer = {
	"jit_outer",
	{
		0x53,			      /*  0 push rbx */
		0x55,			      /*  1 push rbp */
		0x48, 0x83, 0xec, 24,	      /*  2 sub rsp, 24 */
		0xbd, 0x34, 0x12, 0x00, 0x00, /*  6 mov ebp, 0x1234 */
		0xff, 0xd7,		      /* 11 call rdi */
		0x48, 0x83, 0xc4, 24,	      /* 13 add rsp, 24 */
		0x5d,			      /* 17 pop rbp */
		0x5b,			      /* 18 pop rbx */
		0xc3,			      /* 19 ret */
	},
	20,
	/* advance_loc, def_cfa_offset and offset(rbx), offset(rbp) */
	{0x41, 0x0e, 16,   0x83, 2,  0x41, 0x0e, 24, 0x86, 3,	 0x44,
	 0x0e, 48,   0x4b, 0x0e, 24, 0x41, 0x0e, 16, 0x41, 0x0e, 8},
	22,
};

static const struct piece inner = {
	"jit_inner",
	{
		0x48, 0x83, 0xec, 40,	      /*  0 sub rsp, 40 */
		0xb9, 0x80, 0x84, 0x1e, 0x00, /*  4 mov ecx, 2000000 */
		0xff, 0xc9,		      /*  9 dec ecx */
		0x75, 0xfc,		      /* 11 jnz 9 */
		0x48, 0x83, 0xc4, 40,	      /* 13 add rsp, 40 */
		0xc3,			      /* 17 ret */
	},
	18,
	{0x44, 0x0e, 48, 0x4d, 0x0e, 8},
	6,
};

static int dump = -1;

static void put(const void *bytes, size_t n)
{
	if (write(dump, bytes, n) != (ssize_t)n)
		exit(1);
}

static uint64_t now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void put_record(uint32_t id, const void *body, size_t n)
{
	struct {
		uint32_t id, size;
		uint64_t time;
	} head = {id, (uint32_t)(sizeof(head) + n), now(CLOCK_MONOTONIC)};

	put(&head, sizeof(head));
	put(body, n);
}

static void open_dump(const char *folder)
{
	char path[4096];
	struct {
		uint32_t magic, version, size, machine, pad, pid;
		uint64_t time, flags;
	} head = {0x4a695444, 1, sizeof(head), 62, 0, (uint32_t)getpid(), now(CLOCK_MONOTONIC), 0};

	snprintf(path, sizeof(path), "%s/jit-%d.dump", folder, getpid());
	dump = open(path, O_CREAT | O_TRUNC | O_RDWR, 0600);
	put(&head, sizeof(head));
	if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, dump, 0) == MAP_FAILED)
		exit(1);
}

/* .eh_frame as if it lay behind the code, then an empty .eh_frame_hdr. */
static void put_unwinding(const struct piece *p)
{
	static const uint8_t cie[] = {20, 0,	0,  0, 0,    0,	   0, 0, 1,    'z', 'R', 0,
				      1,  0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90, 1,   0,	 0};
	struct {
		uint64_t size, table, mapped;
		uint8_t cie[sizeof(cie)];
		uint32_t length, cie_at;
		int32_t start;
		uint32_t range;
		uint8_t augmentation, cfi[sizeof(p->cfi)], pad[3];
		uint32_t end;
		uint8_t hdr[20];
	} body = {.table = sizeof(body.hdr), .length = 40, .cie_at = sizeof(cie) + 4};

	body.size = sizeof(body) - 24;
	memcpy(body.cie, cie, sizeof(cie));
	body.start = -(int32_t)((p->code_size + 7) / 8 * 8 + sizeof(cie) + 8);
	body.range = (uint32_t)p->code_size;
	memcpy(body.cfi, p->cfi, p->cfi_size);
	put_record(4, &body, sizeof(body));
}

static void place(const struct piece *p, void *at)
{
	memcpy(at, p->code, p->code_size);
}

static void load(const struct piece *p, void *at, uint64_t index)
{
	struct {
		uint32_t pid, tid;
		uint64_t vma, start, size, index;
		char name[10];
		uint8_t code[sizeof(p->code)];
	} body = {
		.vma = (uintptr_t)at, .start = (uintptr_t)at, .size = p->code_size, .index = index};

	place(p, at);
	put_unwinding(p);
	memcpy(body.name, p->name, sizeof(body.name));
	memcpy(body.code, p->code, p->code_size);
	put_record(0, &body, 40 + sizeof(body.name) + p->code_size);
}

static void move(const struct piece *p, void *from, void *to, uint64_t index)
{
	struct {
		uint32_t pid, tid;
		uint64_t vma, from, to, size, index;
	} body = {0, 0, (uintptr_t)to, (uintptr_t)from, (uintptr_t)to, p->code_size, index};

	place(p, to);
	put_record(1, &body, sizeof(body));
}

static void spin(outer_fn call, void *a, void *b, double seconds)
{
	uint64_t end = now(CLOCK_PROCESS_CPUTIME_ID) + (uint64_t)(seconds * 1e9);

	while (now(CLOCK_PROCESS_CPUTIME_ID) < end) {
		call((spin_fn)(uintptr_t)a);
		call((spin_fn)(uintptr_t)b);
	}
}

int main(int argc, char **argv)
{
	char *code = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct piece other = inner;
	double seconds = argc > 2 ? atof(argv[2]) : 1;

	if (argc < 2 || code == MAP_FAILED)
		return 2;
	open_dump(argv[1]);
	other.name = "jit_other";
	other.code[3] = other.code[16] = 72;
	other.cfi[2] = 80;
	load(&outer, code, 1);
	load(&inner, code + 1024, 2);
	spin((outer_fn)(uintptr_t)code, code + 1024, code + 1024, seconds / 2);
	move(&inner, code + 1024, code + 4096, 2);
	load(&other, code + 1024, 3);
	spin((outer_fn)(uintptr_t)code, code + 1024, code + 4096, seconds / 2);
	return 0;
}

#else

int main(void)
{
	return 77;
}

#endif
