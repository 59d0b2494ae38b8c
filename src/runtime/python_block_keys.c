/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_block_keys: see python_block_keys.h. PyDictKeysObject: a head that tells how many slots
 * there are, an index of a byte for each (of up to 128), and room for entries, two thirds of them;
 * so the size of the block is said by its head. Include/internal/pycore_dict.h, 3.10 and older
 * Objects/dict-common.h.
 */
#include "runtime/python_block_keys.h"

#include "base/bytes.h"

#include <stddef.h>

#define LOG2_MOST 7 /* of slots whose index is a byte */
#define NO_CODE	  4096

/* What both forms have: slots, and entries that are free and that were used. */
struct keys {
	uint32_t head, entry;
	uint64_t slots, usable, entries;
};

static uint64_t room_of(const struct keys *keys)
{
	return keys->slots * 2 / 3;
}

/* dk_refcnt u64, dk_log2_size u8, dk_log2_index_bytes u8, dk_kind u8, padding u8, dk_version u32,
 * dk_usable, dk_nentries i64 */
static bool read_new_keys(const uint8_t *head, struct keys *ret)
{
	enum { GENERAL, STR_ONLY, SPLIT };
	uint8_t log2 = head[8], kind = head[10];

	if (log2 < 3 || log2 > LOG2_MOST || head[9] != log2 || kind > SPLIT)
		return false;
	*ret = (struct keys){
		.head = 32,
		.entry = kind == GENERAL ? 24 : 16,
		.slots = UINT64_C(1) << log2,
		.usable = wp_u64_at(head + 16),
		.entries = wp_u64_at(head + 24),
	};
	return true;
}

/* dk_refcnt, dk_size i64, dk_lookup (a function), dk_usable, dk_nentries i64 */
static bool read_old_keys(const uint8_t *head, struct keys *ret)
{
	uint64_t slots = wp_u64_at(head + 8);

	*ret = (struct keys){
		.head = 40,
		.entry = 24,
		.slots = slots,
		.usable = wp_u64_at(head + 24),
		.entries = wp_u64_at(head + 32),
	};
	return slots >= 8 && slots <= 1u << LOG2_MOST && !(slots & (slots - 1)) &&
	       wp_u64_at(head + 16) >= NO_CODE;
}

bool wp_python_block_keys(const uint8_t head[WP_PYTHON_BLOCK_KEYS_HEAD], uint32_t version,
			  uint32_t block, uint32_t align)
{
	uint64_t references = wp_u64_at(head), bytes;
	struct keys keys;

	if (version < 0x03060000 || !references || references > UINT32_MAX)
		return false;
	if (!(version >= 0x030b0000 ? read_new_keys : read_old_keys)(head, &keys))
		return false;
	bytes = keys.head + keys.slots + keys.entry * room_of(&keys);
	return (bytes + align - 1) / align * align == block && keys.usable <= room_of(&keys) &&
	       keys.entries <= room_of(&keys) - keys.usable;
}
