/* SPDX-License-Identifier: BSD-3-Clause */
/* cfi: see cfi.h. Entries are read first, each with the stretch of rows it gave; then they are put
 * in the order of their addresses, with gaps between them. */
#include "format/unwind/cfi.h"

#include "base/map.h"
#include "format/unwind/cfi_run.h"

#include <dwarf.h>
#include <elf.h>
#include <string.h>

#define MAX_AUGMENTATION 16
#define NO_CIE		 UINT64_MAX

/* An FDE that was read. */
struct entry {
	uint64_t start, end;
	size_t first, n; /* its rows */
};

struct compiler {
	const struct wp_cfi_machine *machine;
	const struct wp_cfi_section *section;
	uint64_t base;
	struct wp_cfi_stats *stats;
	WP_VEC(struct entry) entries;
	WP_VEC(struct wp_unwind_rule) rows;
	size_t first;	      /* row of the entry being read */
	bool only_first;      /* an entry's further rows are of no interest */
	struct wp_map cie_at; /* offset -> index in cies + 1 */
	WP_VEC(struct wp_cfi_cie) cies;
};

/* The head of an entry. */
struct head {
	size_t next; /* position behind the entry */
	size_t id_at;
	uint64_t id; /* as it stands there */
	bool wide;   /* 64-bit DWARF */
	bool is_cie;
	bool ends; /* the zero length that ends .eh_frame */
};

/* x86-64 psABI figure 3.36; i386 psABI table 2.14; AArch64 DWARF section 4.1. */
static const struct wp_cfi_machine *cfi_machine_of(uint16_t machine)
{
	static const struct wp_cfi_machine x86_64 = {8, .sp = 7, .fp = 6, .ra = 16, .bx = 3},
					   i386 = {4, .sp = 4, .fp = 5, .ra = 8, .bx = 3},
					   aarch64 = {8, 31, 29, 30, 255, true};

	if (machine == EM_X86_64)
		return &x86_64;
	if (machine == EM_386)
		return &i386;
	return machine == EM_AARCH64 ? &aarch64 : NULL;
}

/* Reads an entry's head; false when it lies outside of the section. */
static bool read_cfi_head(const struct wp_cfi_section *section, struct wp_bytes *b,
			  struct head *ret)
{
	uint64_t len = wp_bytes_u32(b);

	*ret = (struct head){.ends = len == 0};
	if (len == UINT32_MAX) {
		ret->wide = true;
		len = wp_bytes_u64(b);
	}
	if (b->failed || len > wp_bytes_left(b))
		return false;
	ret->next = b->pos + len;
	if (!len)
		return true;
	ret->id_at = b->pos;
	ret->id = ret->wide ? wp_bytes_u64(b) : wp_bytes_u32(b);
	if (section->eh)
		ret->is_cie = ret->id == 0;
	else
		ret->is_cie = ret->id == (ret->wide ? UINT64_MAX : UINT32_MAX);
	return !b->failed && b->pos <= ret->next;
}

/* The letters behind 'z'. False when there is one whose data cannot be passed over. */
static bool read_augmentation(const struct compiler *c, const char *letters, struct wp_bytes *b,
			      struct wp_cfi_cie *cie)
{
	struct wp_cfi_pointers bases = {.section = c->section, .word = c->machine->word};

	for (; *letters; letters++) {
		switch (*letters) {
		case 'L': wp_bytes_u8(b); break;
		case 'R': cie->encoding = wp_bytes_u8(b); break;
		case 'P': wp_cfi_pointer(b, wp_bytes_u8(b), &bases); break;
		case 'S': cie->signal = true; break;
		case 'B':	 /* AArch64: signed with the B key */
		case 'G': break; /* AArch64: memory tagging of the stack */
		default: return false;
		}
	}
	return true;
}

static uint64_t read_ra(struct wp_bytes *b, uint8_t version)
{
	return version == 1 ? wp_bytes_u8(b) : wp_cfi_uleb(b);
}

/* What stands before the instructions. */
static bool read_cie_fields(struct compiler *c, struct wp_bytes *b, struct wp_cfi_cie *cie)
{
	uint8_t version = wp_bytes_u8(b);
	const char *letters = wp_bytes_str(b, MAX_AUGMENTATION);

	if (!letters || (version != 1 && version != 3 && version != 4))
		return false;
	if (version == 4 && (wp_bytes_u8(b) != c->machine->word || wp_bytes_u8(b) != 0))
		return false; /* of another machine, or with segments */
	cie->code_align = wp_cfi_uleb(b);
	cie->data_align = wp_cfi_sleb(b);
	if (read_ra(b, version) != c->machine->ra || (letters[0] && letters[0] != 'z'))
		return false;
	if (letters[0]) {
		uint64_t len = wp_cfi_uleb(b);
		struct wp_bytes data = *b;

		wp_bytes_skip(b, len);
		data.size = b->pos;
		cie->has_data = true;
		if (b->failed || !read_augmentation(c, letters + 1, &data, cie) || data.failed)
			return false;
	}
	return !b->failed;
}

static struct wp_cfi_cie read_cie(struct compiler *c, struct wp_bytes b, const struct head *head)
{
	struct wp_cfi_cie cie = {.encoding = DW_EH_PE_absptr};
	struct wp_cfi_run run = {.machine = c->machine,
				 .cie = &cie,
				 .bases = {.section = c->section, .word = c->machine->word}};

	if (!read_cie_fields(c, &b, &cie) || b.pos > head->next)
		return cie;
	run.state.why = WP_CFI_CFA_REGISTER; /* until it is defined */
	b.size = head->next;
	cie.usable = wp_cfi_run(&run, &b, head->next);
	cie.initial = run.state;
	/* x86 has two kinds of frames, which differ in where the registers are. */
	if (cie.signal && c->machine->word == 8)
		cie.initial.cfa = WP_UNWIND_SIGNAL;
	return cie;
}

/* The CIE at an offset, read once. NULL when there is none that can be used. */
static const struct wp_cfi_cie *cie_at(struct compiler *c, uint64_t off)
{
	uint64_t *known = wp_map_put(&c->cie_at, off);

	if (!*known) {
		struct wp_bytes b = wp_bytes_of(c->section->data, c->section->size);
		struct wp_cfi_cie cie = {0};
		struct head head;

		wp_bytes_seek(&b, off);
		if (read_cfi_head(c->section, &b, &head) && head.is_cie)
			cie = read_cie(c, b, &head);
		wp_vec_push(&c->cies, cie);
		*known = c->cies.n;
	}
	return c->cies.v[*known - 1].usable ? &c->cies.v[*known - 1] : NULL;
}

static void take_row(void *arg, uint64_t pc, const struct wp_cfi_state *state)
{
	struct compiler *c = arg;
	enum wp_cfi_reason why;
	struct wp_unwind_rule rule;
	size_t n = c->rows.n;

	if (c->only_first && n > c->first)
		return;
	rule = wp_cfi_rule(c->machine, state, &why);
	c->stats->without[why]++;
	if (rule.cfa == WP_UNWIND_NONE)
		rule.flags = (uint8_t)(why << WP_UNWIND_WHY_SHIFT);
	if (n > c->first && wp_unwind_rule_same(&c->rows.v[n - 1], &rule))
		return;
	rule.pc = (uint32_t)(pc - c->base);
	wp_vec_push(&c->rows, rule);
}

/* A function without an address was dropped by the linker, which leaves its entry behind. */
static bool in_reach(const struct compiler *c, uint64_t start, uint64_t size)
{
	if (!start || !size || start < c->base)
		return false;
	return start - c->base <= UINT32_MAX && size <= UINT32_MAX - (start - c->base);
}

static bool run_entry(struct compiler *c, const struct wp_cfi_cie *cie, struct wp_bytes *b,
		      struct entry *entry)
{
	struct wp_cfi_run run = {
		.machine = c->machine,
		.cie = cie,
		.bases = {.section = c->section,
			  .function = entry->start,
			  .word = c->machine->word},
		.pc = entry->start,
		.end = entry->end,
		.state = cie->initial,
		.row = take_row,
		.arg = c,
	};

	if (cie->initial.cfa == WP_UNWIND_SIGNAL) {
		take_row(c, entry->start, &cie->initial);
		return true;
	}
	if (wp_cfi_run(&run, b, b->size))
		return true;
	entry->end = run.pc;
	return false;
}

static void read_fde(struct compiler *c, const struct wp_cfi_cie *cie, struct wp_bytes b)
{
	struct wp_cfi_pointers bases = {.section = c->section, .word = c->machine->word};
	uint64_t start = wp_cfi_pointer(&b, cie->encoding, &bases);
	uint64_t size = wp_cfi_pointer(&b, cie->encoding & 0x0f, &bases);
	bool dropped = !start;

	start += c->section->shift;
	if (cie->has_data)
		wp_bytes_skip(&b, wp_cfi_uleb(&b));
	if (b.failed || cie->encoding & DW_EH_PE_indirect) {
		c->stats->damaged++;
		return;
	}
	if (dropped || !in_reach(c, start, size))
		return;
	struct entry entry = {.start = start, .end = start + size, .first = c->rows.n};
	c->first = c->rows.n;
	c->stats->damaged += !run_entry(c, cie, &b, &entry);
	entry.n = c->rows.n - entry.first;
	c->stats->entries++;
	if (entry.n && entry.end > entry.start)
		wp_vec_push(&c->entries, entry);
}

/* The offset of an FDE's CIE: counted backwards from its own place in .eh_frame. */
static uint64_t cie_offset(const struct wp_cfi_section *section, const struct head *head)
{
	if (!section->eh)
		return head->id;
	return head->id <= head->id_at ? head->id_at - head->id : NO_CIE;
}

static void read_cfi_entries(struct compiler *c)
{
	struct wp_bytes b = wp_bytes_of(c->section->data, c->section->size);
	struct head head;

	while (wp_bytes_left(&b) >= 4) {
		if (!read_cfi_head(c->section, &b, &head)) {
			c->stats->damaged++;
			return;
		}
		/* crtend.o's end may stand before what the linker has put behind it. */
		if (!head.ends && !head.is_cie) {
			const struct wp_cfi_cie *cie = cie_at(c, cie_offset(c->section, &head));
			struct wp_bytes body = b;

			body.size = head.next;
			if (cie)
				read_fde(c, cie, body);
			else
				c->stats->damaged++;
		}
		wp_bytes_seek(&b, head.next);
	}
}

static int compare_cfi_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

/* Appends an entry's rows up to `end`, and a gap there. */
static void append_entry(struct compiler *c, const struct entry *entry, uint64_t end,
			 struct wp_unwind_rows *rows)
{
	for (size_t i = entry->first; i < entry->first + entry->n; i++)
		if (c->rows.v[i].pc < end - c->base)
			wp_unwind_rows_append(rows, c->rows.v[i].pc, c->rows.v[i]);
	wp_unwind_rows_append(rows, (uint32_t)(end - c->base), (struct wp_unwind_rule){0});
}

static void merge(struct compiler *c, struct wp_unwind_rows *rows)
{
	uint64_t reached = 0;

	if (c->entries.n)
		qsort(c->entries.v, c->entries.n, sizeof(*c->entries.v), compare_cfi_entries);
	for (size_t i = 0; i < c->entries.n; i++) {
		const struct entry *entry = &c->entries.v[i];
		uint64_t end = entry->end;

		if (i && entry->start < reached) {
			c->stats->damaged++;
			continue;
		}
		/* The later of two that overlap begins where it says. */
		if (i + 1 < c->entries.n && c->entries.v[i + 1].start < end &&
		    c->entries.v[i + 1].start > entry->start)
			end = c->entries.v[i + 1].start;
		append_entry(c, entry, end, rows);
		reached = end;
	}
}

static void deinit_compiler(struct compiler *c)
{
	wp_vec_deinit(&c->entries);
	wp_vec_deinit(&c->rows);
	wp_vec_deinit(&c->cies);
	wp_map_deinit(&c->cie_at);
}

void wp_cfi_compile(uint16_t machine, const struct wp_cfi_section *section,
		    struct wp_unwind_rows *rows, struct wp_cfi_stats *stats)
{
	struct compiler c = {
		.machine = cfi_machine_of(machine),
		.section = section,
		.base = rows->base,
		.stats = stats,
	};

	if (!c.machine)
		return;
	read_cfi_entries(&c);
	merge(&c, rows);
	deinit_compiler(&c);
}

void wp_cfi_extents_read(uint16_t machine, const struct wp_cfi_section *section, uint64_t base,
			 struct wp_cfi_extents *ret)
{
	struct wp_cfi_stats stats = {0};
	struct compiler c = {
		.machine = cfi_machine_of(machine),
		.section = section,
		.base = base,
		.stats = &stats,
		.only_first = true,
	};

	if (!c.machine)
		return;
	read_cfi_entries(&c);
	if (c.entries.n)
		qsort(c.entries.v, c.entries.n, sizeof(*c.entries.v), compare_cfi_entries);
	wp_vec_each (struct entry, entry, &c.entries)
		wp_vec_push(&ret->v, (struct wp_cfi_extent){entry->start, entry->end,
							    c.rows.v[entry->first]});
	deinit_compiler(&c);
}

bool wp_cfi_eh_frame_of(const void *hdr, size_t size, uint64_t addr, uint64_t *ret)
{
	struct wp_bytes b = wp_bytes_of(hdr, size);
	/* Data-relative pointers count from the header here. */
	struct wp_cfi_section section = {.addr = addr, .got_base = addr};
	struct wp_cfi_pointers bases = {.section = &section, .word = 8};
	uint8_t version = wp_bytes_u8(&b), encoding = wp_bytes_u8(&b);

	wp_bytes_skip(&b, 2); /* encodings of the count and the table */
	uint64_t at = wp_cfi_pointer(&b, encoding, &bases);
	if (b.failed || version != 1 || encoding == DW_EH_PE_omit || encoding & DW_EH_PE_indirect)
		return false;
	*ret = at;
	return true;
}
