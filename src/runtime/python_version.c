/* SPDX-License-Identifier: BSD-3-Clause */
/* python_version: see python_version.h. */
#include "runtime/python_version.h"

#include "base/str.h"
#include "format/elf/elf_sections.h"
#include "runtime/python_operands.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define MAX_CODE 512 /* of Py_GetVersion */
#define FINAL	 0xf0

bool wp_python_version_is_final(uint32_t version)
{
	return (version & 0xf0) >= 0xc0;
}

const char *wp_python_version_print(uint32_t version, char ret[WP_PYTHON_VERSION_MAX])
{
	static const char *const levels[16] = {[0xa] = "a", [0xb] = "b", [0xc] = "rc"};
	const char *level = levels[version >> 4 & 0xf];
	char serial[4] = "";

	if (level)
		snprintf(serial, sizeof(serial), "%u", version & 0xf);
	snprintf(ret, WP_PYTHON_VERSION_MAX, "%u.%u.%u%s%s", version >> 24, version >> 16 & 0xff,
		 version >> 8 & 0xff, level ? level : "", serial);
	return ret;
}

/* A decimal number of at most 255, without a sign. */
static bool read_version_number(const char **text, uint32_t *ret)
{
	uint32_t value = 0;
	const char *p = *text;

	for (; isdigit((unsigned char)*p); p++)
		if ((value = value * 10 + (uint32_t)(*p - '0')) > 255)
			return false;
	if (p == *text)
		return false;
	*text = p;
	*ret = value;
	return true;
}

static bool read_level(const char **text, uint32_t *ret)
{
	uint32_t level, serial;

	if (wp_str_has_prefix(*text, "rc")) {
		level = 0xc0;
		++*text;
	} else if (**text == 'a' || **text == 'b') {
		level = **text == 'a' ? 0xa0 : 0xb0;
	} else {
		*ret = FINAL;
		return true;
	}
	++*text;
	if (!read_version_number(text, &serial) || serial > 15)
		return false;
	*ret = level | serial;
	return true;
}

bool wp_python_version_parse(const char *text, uint32_t *ret)
{
	uint32_t part[3], level;

	for (size_t i = 0; i < 3; i++)
		if ((i && *text++ != '.') || !read_version_number(&text, &part[i]))
			return false;
	if (!read_level(&text, &level))
		return false;
	if (*text == '+') /* built from a checkout behind that release */
		text++;
	if (*text || (part[0] != 2 && part[0] != 3))
		return false;
	*ret = part[0] << 24 | part[1] << 16 | part[2] << 8 | level;
	return true;
}

struct search {
	const struct wp_python_elf *elf;
	uint32_t version;
};

static void try_text(void *arg, uint64_t addr)
{
	struct search *search = arg;
	char text[WP_PYTHON_VERSION_MAX];
	uint32_t version;

	if (!search->version && wp_python_elf_str(search->elf, addr, text, sizeof(text)) &&
	    wp_python_version_parse(text, &version))
		search->version = version;
}

/* PY_VERSION is an argument that Py_GetVersion() prints. */
static uint32_t mentioned_version(const struct wp_python_elf *elf,
				  const struct wp_python_symbol *get)
{
	uint8_t bytes[MAX_CODE];
	size_t n = get->size && get->size < MAX_CODE ? get->size : MAX_CODE;
	struct search search = {.elf = elf};
	struct wp_python_code_bytes code = {elf->image.machine, bytes,
					    wp_python_elf_read_some(elf, get->addr, bytes, n),
					    get->addr};

	wp_python_operands(&code, WP_PYTHON_OPERAND_ADDRESS, try_text, &search);
	return search.version;
}

/* "3.8" of libpython3.8.so.1.0, /usr/bin/python3.8 and the like. */
static bool minor_in_name(const char *path, uint32_t *ret)
{
	const char *name = strstr(wp_str_basename(path), "python");
	uint32_t major, minor;

	if (!name)
		return false;
	name += strlen("python");
	if (!read_version_number(&name, &major) || *name++ != '.' ||
	    !read_version_number(&name, &minor))
		return false;
	*ret = major << 8 | minor;
	return true;
}

/* The only version text in .rodata that is of a minor version. */
static uint32_t stored_version(const struct wp_python_elf *elf, uint32_t minor)
{
	GElf_Shdr header;
	const Elf_Data *data = wp_elf_section(elf->elf, ".rodata", &header);
	const char *at = data ? data->d_buf : NULL, *end = data ? at + data->d_size : NULL;
	char prefix[WP_PYTHON_VERSION_MAX];
	uint32_t found = 0, version;

	snprintf(prefix, sizeof(prefix), "%u.%u.", minor >> 8, minor & 0xff);
	size_t len = strlen(prefix);
	for (; at && (at = memmem(at, (size_t)(end - at), prefix, len)); at++) {
		char text[WP_PYTHON_VERSION_MAX] = "";
		size_t left = (size_t)(end - at);

		memcpy(text, at, left < sizeof(text) - 1 ? left : sizeof(text) - 1);
		if (!wp_python_version_parse(text, &version))
			continue;
		if (found && found != version)
			return 0;
		found = version;
	}
	return found;
}

uint32_t wp_python_version_of(const struct wp_python_elf *elf,
			      const struct wp_python_symbol *number,
			      const struct wp_python_symbol *get, const char *path)
{
	uint64_t word;
	uint32_t version = 0, minor;

	if (number->addr && wp_python_elf_u64(elf, number->addr, &word))
		return (uint32_t)word;
	if (get->addr)
		version = mentioned_version(elf, get);
	if (!version && minor_in_name(path, &minor))
		version = stored_version(elf, minor);
	return version;
}
