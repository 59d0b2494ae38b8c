/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elf.h for Windows: the structures and numbers of ELF that the tree speaks of (System V ABI,
 * "Object Files"; the processors' supplements), under the names that they have everywhere.
 */
#ifndef WP_WINDOWS_ELF_H
#define WP_WINDOWS_ELF_H

#include <stdint.h>

typedef uint16_t Elf64_Half, Elf32_Half;
typedef uint32_t Elf64_Word, Elf32_Word, Elf32_Addr, Elf32_Off;
typedef int32_t Elf64_Sword, Elf32_Sword;
typedef uint64_t Elf64_Xword, Elf64_Addr, Elf64_Off;
typedef int64_t Elf64_Sxword;
typedef uint16_t Elf64_Section, Elf32_Section;

#define EI_NIDENT 16
#define EI_CLASS  4
#define EI_DATA	  5

#define ELFMAG0	     0x7f
#define ELFMAG1	     'E'
#define ELFMAG2	     'L'
#define ELFMAG3	     'F'
#define ELFMAG	     "\177ELF"
#define SELFMAG	     4
#define ELFCLASSNONE 0
#define ELFCLASS32   1
#define ELFCLASS64   2
#define ELFDATA2LSB  1
#define ELFDATA2MSB  2
#define EV_NONE	     0
#define EV_CURRENT   1
#define ET_NONE	     0
#define ET_REL	     1
#define ET_EXEC	     2
#define ET_DYN	     3
#define ET_CORE	     4
#define EM_NONE	     0
#define EM_386	     3
#define EM_ARM	     40
#define EM_X86_64    62
#define EM_AARCH64   183
#define EM_RISCV     243

typedef struct {
	unsigned char e_ident[EI_NIDENT];
	Elf32_Half e_type, e_machine;
	Elf32_Word e_version;
	Elf32_Addr e_entry;
	Elf32_Off e_phoff, e_shoff;
	Elf32_Word e_flags;
	Elf32_Half e_ehsize, e_phentsize, e_phnum, e_shentsize, e_shnum, e_shstrndx;
} Elf32_Ehdr;

typedef struct {
	unsigned char e_ident[EI_NIDENT];
	Elf64_Half e_type, e_machine;
	Elf64_Word e_version;
	Elf64_Addr e_entry;
	Elf64_Off e_phoff, e_shoff;
	Elf64_Word e_flags;
	Elf64_Half e_ehsize, e_phentsize, e_phnum, e_shentsize, e_shnum, e_shstrndx;
} Elf64_Ehdr;

#define PT_LOAD		1
#define PT_DYNAMIC	2
#define PT_NOTE		4
#define PT_PHDR		6
#define PT_GNU_EH_FRAME 0x6474e550
#define PN_XNUM		0xffff
#define PF_X		1
#define PF_W		2
#define PF_R		4

typedef struct {
	Elf32_Word p_type;
	Elf32_Off p_offset;
	Elf32_Addr p_vaddr, p_paddr;
	Elf32_Word p_filesz, p_memsz, p_flags, p_align;
} Elf32_Phdr;

typedef struct {
	Elf64_Word p_type, p_flags;
	Elf64_Off p_offset;
	Elf64_Addr p_vaddr, p_paddr;
	Elf64_Xword p_filesz, p_memsz, p_align;
} Elf64_Phdr;

#define SHT_NULL       0
#define SHT_PROGBITS   1
#define SHT_SYMTAB     2
#define SHT_STRTAB     3
#define SHT_RELA       4
#define SHT_DYNAMIC    6
#define SHT_NOTE       7
#define SHT_NOBITS     8
#define SHT_REL	       9
#define SHT_DYNSYM     11
#define SHT_RELR       19
#define SHF_WRITE      (1 << 0)
#define SHF_ALLOC      (1 << 1)
#define SHF_EXECINSTR  (1 << 2)
#define SHF_COMPRESSED (1 << 11)
#define SHN_UNDEF      0
#define SHN_LORESERVE  0xff00
#define SHN_ABS	       0xfff1
#define SHN_COMMON     0xfff2
#define SHN_XINDEX     0xffff

typedef struct {
	Elf32_Word sh_name, sh_type, sh_flags;
	Elf32_Addr sh_addr;
	Elf32_Off sh_offset;
	Elf32_Word sh_size, sh_link, sh_info, sh_addralign, sh_entsize;
} Elf32_Shdr;

typedef struct {
	Elf64_Word sh_name, sh_type;
	Elf64_Xword sh_flags;
	Elf64_Addr sh_addr;
	Elf64_Off sh_offset;
	Elf64_Xword sh_size;
	Elf64_Word sh_link, sh_info;
	Elf64_Xword sh_addralign, sh_entsize;
} Elf64_Shdr;

#define ELFCOMPRESS_ZLIB 1

typedef struct {
	Elf32_Word ch_type, ch_size, ch_addralign;
} Elf32_Chdr;

typedef struct {
	Elf64_Word ch_type, ch_reserved;
	Elf64_Xword ch_size, ch_addralign;
} Elf64_Chdr;

#define STB_LOCAL     0
#define STB_GLOBAL    1
#define STB_WEAK      2
#define STT_NOTYPE    0
#define STT_OBJECT    1
#define STT_FUNC      2
#define STT_GNU_IFUNC 10

typedef struct {
	Elf32_Word st_name;
	Elf32_Addr st_value;
	Elf32_Word st_size;
	unsigned char st_info, st_other;
	Elf32_Section st_shndx;
} Elf32_Sym;

typedef struct {
	Elf64_Word st_name;
	unsigned char st_info, st_other;
	Elf64_Section st_shndx;
	Elf64_Addr st_value;
	Elf64_Xword st_size;
} Elf64_Sym;

#define ELF64_ST_BIND(info)	  ((unsigned char)(info) >> 4)
#define ELF64_ST_TYPE(info)	  ((info)&0xf)
#define ELF64_ST_INFO(bind, type) (((bind) << 4) + ((type)&0xf))
#define ELF32_ST_BIND(info)	  ELF64_ST_BIND(info)
#define ELF32_ST_TYPE(info)	  ELF64_ST_TYPE(info)
#define ELF64_R_SYM(info)	  ((info) >> 32)
#define ELF64_R_TYPE(info)	  ((info)&0xffffffff)
#define ELF32_R_SYM(info)	  ((info) >> 8)
#define ELF32_R_TYPE(info)	  ((info)&0xff)

typedef struct {
	Elf32_Addr r_offset;
	Elf32_Word r_info;
	Elf32_Sword r_addend;
} Elf32_Rela;

typedef struct {
	Elf64_Addr r_offset;
	Elf64_Xword r_info;
	Elf64_Sxword r_addend;
} Elf64_Rela;

#define DT_NULL	   0
#define DT_NEEDED  1
#define DT_RPATH   15
#define DT_DEBUG   21
#define DT_RUNPATH 29

typedef struct {
	Elf32_Sword d_tag;
	union {
		Elf32_Word d_val;
		Elf32_Addr d_ptr;
	} d_un;
} Elf32_Dyn;

typedef struct {
	Elf64_Sxword d_tag;
	union {
		Elf64_Xword d_val;
		Elf64_Addr d_ptr;
	} d_un;
} Elf64_Dyn;

typedef struct {
	Elf64_Word n_namesz, n_descsz, n_type;
} Elf64_Nhdr;

#define NT_PRSTATUS	1
#define NT_PRPSINFO	3
#define NT_AUXV		6
#define NT_SIGINFO	0x53494749
#define NT_FILE		0x46494c45
#define NT_GNU_BUILD_ID 3

#define AT_NULL		0
#define AT_PHDR		3
#define AT_PHNUM	5
#define AT_SYSINFO_EHDR 33

#define R_X86_64_GLOB_DAT   6
#define R_X86_64_JUMP_SLOT  7
#define R_X86_64_RELATIVE   8
#define R_X86_64_IRELATIVE  37
#define R_AARCH64_GLOB_DAT  1025
#define R_AARCH64_JUMP_SLOT 1026
#define R_AARCH64_RELATIVE  1027
#define R_AARCH64_IRELATIVE 1032

#endif
