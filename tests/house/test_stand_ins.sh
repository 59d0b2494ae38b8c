#!/bin/bash
# Numbers and structures of src/windows/include that have a meaning outside of wperf (ELF, DWARF, perf's) are those of this
# system's headers of the same names.
: "${TOP:?}" "${WORK:?}" "${WPERF:?}"
cd "$TOP" || exit 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
command -v cc >/dev/null || { echo "SKIP: no cc"; exit 77; }

# Prints each name with its value as a number, each structure with its size and the places of its members.
write_program() { # HEADER
	local header=$1 own=src/windows/include/$1 name
	echo "#include <stddef.h>"
	echo "#include <stdio.h>"
	echo "#include <$header>"
	echo "int main(void) {"
	sed -nE 's/^#define ([A-Z][A-Za-z0-9_]+)[ \t]+[^ \t].*/\1/p' "$own" | grep -vE '^(WP_|ELFMAG$)' | while read -r name; do
		printf '#ifdef %s\nprintf("%%s %%lld\\n", "%s", (long long)%s);\n#endif\n' "$name" "$name" "$name"
	done
	grep -oE '\b[A-Z]+_[A-Za-z0-9_]+( = [^,}]*)?[,}]|^	[A-Z]+_[A-Za-z0-9_]+,$' "$own" | grep -oE '^[	 ]*[A-Z]+_[A-Za-z0-9_]+' | while read -r name; do
		printf 'printf("%%s %%lld\\n", "%s", (long long)%s);\n' "$name" "$name"
	done
	grep -oE '^} Elf(32|64)_[A-Za-z]+;' "$own" | tr -d '};' | while read -r name; do
		printf 'printf("%%s %%zu\\n", "%s", sizeof(%s));\n' "$name" "$name"
	done
	[ "$header" != elf.h ] || for name in Elf64_Ehdr:e_shstrndx Elf32_Ehdr:e_shstrndx Elf64_Phdr:p_align Elf32_Phdr:p_flags Elf64_Shdr:sh_entsize \
		Elf32_Shdr:sh_addralign Elf64_Sym:st_value Elf32_Sym:st_info Elf64_Rela:r_addend Elf64_Chdr:ch_size Elf64_Dyn:d_un Elf32_Dyn:d_un; do
		printf 'printf("%%s %%zu\\n", "%s", offsetof(%s, %s));\n' "$name" "${name%:*}" "${name#*:}"
	done
	[ "$header" != linux/perf_event.h ] || for name in type config sample_period sample_type wakeup_events bp_type bp_addr bp_len branch_sample_type \
		sample_regs_user sample_stack_user clockid sample_regs_intr aux_watermark sample_max_stack; do
		printf 'printf("%%s %%zu\\n", "%s", offsetof(struct perf_event_attr, %s));\n' "$name" "$name"
	done
	echo "return 0; }"
}

# What this system's header has no name for is newer than it.
compare() { # HEADER
	write_program "$1" >"$scratch/program.c"
	cc -w -Isrc/windows/include -o "$scratch/ours" "$scratch/program.c" && cc -w -o "$scratch/theirs" "$scratch/program.c" || return
	"$scratch/ours" | sort -u >"$scratch/ours.txt"
	"$scratch/theirs" | sort -u >"$scratch/theirs.txt"
	echo "$1: $(wc -l <"$scratch/theirs.txt") numbers"
	[ "$(wc -l <"$scratch/theirs.txt")" -gt 5 ] && ! comm -13 "$scratch/ours.txt" "$scratch/theirs.txt" | grep .
}
failed=0
for header in elf.h dwarf.h linux/perf_event.h linux/hw_breakpoint.h; do
	compare "$header" || { echo "FAILED: $header"; failed=1; }
done
exit $failed
