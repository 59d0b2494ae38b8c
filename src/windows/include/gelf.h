/* SPDX-License-Identifier: BSD-3-Clause */
/* gelf.h for Windows: libelf's names for what small_elf does. */
#ifndef WP_WINDOWS_GELF_H
#define WP_WINDOWS_GELF_H

#include "windows/small_elf.h"
#include "windows/small_elf_file.h"

typedef struct wp_small_elf Elf;
typedef struct wp_small_elf_section Elf_Scn;
typedef struct wp_small_elf_data Elf_Data;
typedef Elf64_Ehdr GElf_Ehdr;
typedef Elf64_Phdr GElf_Phdr;
typedef Elf64_Shdr GElf_Shdr;
typedef Elf64_Sym GElf_Sym;
typedef Elf64_Rela GElf_Rela;
typedef Elf64_Dyn GElf_Dyn;
typedef Elf64_Chdr GElf_Chdr;

#define GELF_ST_BIND(info) ELF64_ST_BIND(info)
#define GELF_ST_TYPE(info) ELF64_ST_TYPE(info)
#define GELF_R_SYM(info)   ELF64_R_SYM(info)
#define GELF_R_TYPE(info)  ELF64_R_TYPE(info)

#define ELF_T_SYM  WP_SMALL_ELF_SYMBOLS
#define ELF_T_RELA WP_SMALL_ELF_RELA
#define ELF_C_READ 0
#define ELF_K_ELF  1

#define elf_version(version)		     ((void)(version))
#define elf_begin(fd, how, archive)	     wp_small_elf_open(fd)
#define elf_memory(data, size)		     wp_small_elf_new(data, size)
#define elf_end(elf)			     wp_small_elf_close(elf)
#define elf_kind(elf)			     ((elf) ? ELF_K_ELF : 0)
#define elf_rawfile(elf, ret_size)	     ((char *)wp_small_elf_bytes(elf, ret_size))
#define elf_getphdrnum(elf, ret)	     wp_small_elf_segments(elf, ret)
#define elf_getshdrstrndx(elf, ret)	     wp_small_elf_names(elf, ret)
#define elf_getscn(elf, index)		     wp_small_elf_section(elf, index)
#define elf_nextscn(elf, section)	     wp_small_elf_next(elf, section)
#define elf_getdata(section, before)	     wp_small_elf_data(section)
#define elf_rawdata(section, before)	     wp_small_elf_raw(section)
#define elf_strptr(elf, section, offset)     wp_small_elf_string(elf, section, offset)
#define elf_compress(section, type, flags)   wp_small_elf_inflate(section)
#define elf_compress_gnu(section, in, flags) wp_small_elf_inflate_gnu(section)
#define gelf_getclass(elf)		     wp_small_elf_class(elf)
#define gelf_getehdr(elf, ret)		     wp_small_elf_header(elf, ret)
#define gelf_getphdr(elf, index, ret)	     wp_small_elf_segment(elf, index, ret)
#define gelf_getshdr(section, ret)	     wp_small_elf_section_header(section, ret)
#define gelf_getchdr(section, ret)	     wp_small_elf_compression(section, ret)
#define gelf_getsym(data, index, ret)	     wp_small_elf_symbol(data, index, ret)
#define gelf_getrela(data, index, ret)	     wp_small_elf_rela(data, index, ret)
#define gelf_getdyn(data, index, ret)	     wp_small_elf_dynamic(data, index, ret)
#define gelf_fsize(elf, kind, n, version)    ((n)*wp_small_elf_entry(elf, kind))

#endif
