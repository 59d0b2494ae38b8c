/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flow_dump: the basic blocks of all functions of a file, or of one; a tool for the tests.
 *
 *	flow_dump FILE [FUNCTION]
 *
 * "function ADDRESS SIZE NAME tables=N guessed=N pointers=N unfollowed=N data=N", then a line for
 * each block: "block ADDRESS SIZE INSTRUCTIONS END reached|not : SUCCESSOR..." with addresses.
 */
#include "base/str.h"
#include "resolve/flow/code_flow.h"
#include "resolve/lines/elf_code.h"

#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const ends[] = {"next",  "jump", "branch",  "table", "return",
				   "leave", "stop", "unknown", "cut"};

static size_t read_bytes(void *arg, uint64_t rva, void *ret, size_t n)
{
	return wp_elf_code_read(arg, (struct wp_rva){rva}, ret, n);
}

static bool read_pointer(void *arg, uint64_t rva, uint64_t *ret)
{
	return wp_elf_code_pointer(arg, (struct wp_rva){rva}, ret);
}

static void print_graph(const struct wp_flow_graph *graph)
{
	wp_vec_each (const struct wp_flow_block, block, &graph->blocks) {
		printf("block %" PRIx64 " %u %u %s %s :", block->start, block->size,
		       block->instructions, ends[block->end], block->reached ? "reached" : "not");
		for (uint32_t i = 0; i < block->n_to; i++)
			printf(" %" PRIx64,
			       graph->blocks.v[graph->edges.v[block->first + i].to].start);
		printf("%s\n", block->leaves ? " leaves" : "");
	}
}

static void dump_function(struct wp_elf_code *code, const GElf_Sym *symbol, const char *name)
{
	size_t n = symbol->st_size < WP_CODE_FLOW_MOST ? symbol->st_size : WP_CODE_FLOW_MOST;
	wp_autofree uint8_t *bytes = wp_calloc(n + 1, 1);
	struct wp_code_flow_of of = {
		.arch = wp_elf_code_arch(code),
		.start = symbol->st_value,
		.bytes = bytes,
		.n = wp_elf_code_read(code, (struct wp_rva){symbol->st_value}, bytes, n),
		.read = read_bytes,
		.pointer = read_pointer,
		.arg = code,
	};
	wp_autoflow_graph struct wp_flow_graph graph;
	wp_autoerr struct wp_err *err = wp_code_flow(&of, &graph);

	if (err) {
		fprintf(stderr, "%s\n", err->text);
		return;
	}
	printf("function %" PRIx64 " %zu %s tables=%u guessed=%u pointers=%u unfollowed=%u "
	       "data=%u\n",
	       symbol->st_value, of.n, name, graph.tables, graph.guessed, graph.pointers,
	       graph.unfollowed, graph.data_bytes);
	print_graph(&graph);
}

static void dump_symbols(struct wp_elf_code *code, Elf *elf, Elf_Scn *section, const char *only)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Shdr header;
	GElf_Sym symbol;

	if (!data || !gelf_getshdr(section, &header))
		return;
	for (int i = 0; gelf_getsym(data, i, &symbol); i++) {
		const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);

		if (GELF_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_size && name &&
		    (!only || strcmp(name, only) == 0))
			dump_function(code, &symbol, name);
	}
}

static int find_type(Elf *elf, uint32_t type, Elf_Scn **ret)
{
	GElf_Shdr header;

	*ret = NULL;
	while ((*ret = elf_nextscn(elf, *ret)))
		if (gelf_getshdr(*ret, &header) && header.sh_type == type)
			return 1;
	return 0;
}

int main(int argc, char **argv)
{
	int fd = argc > 1 ? open(argv[1], O_RDONLY) : -1;
	struct wp_elf_code *code;
	wp_autoerr struct wp_err *err = NULL;
	Elf_Scn *section;
	Elf *elf;

	elf_version(EV_CURRENT);
	if (fd < 0)
		return 2;
	err = wp_elf_code_open(dup(fd), argv[1], &code);
	elf = err ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	if (!elf)
		return 2;
	if (find_type(elf, SHT_SYMTAB, &section) || find_type(elf, SHT_DYNSYM, &section))
		dump_symbols(code, elf, section, argc > 2 ? argv[2] : NULL);
	elf_end(elf);
	wp_elf_code_close(code);
	close(fd);
	return 0;
}
