/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * eh_bytes: assembles .eh_frame sections by hand, for the unit tests.
 */
#ifndef WP_EH_BYTES_H
#define WP_EH_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ADDR 0x4000 /* of the section */

/* A section that grows; the CIE's offset is kept for the FDEs behind it. */
struct section {
	uint8_t bytes[4096];
	size_t n, cie;
};

static inline void put(struct section *s, const void *bytes, size_t n)
{
	memcpy(s->bytes + s->n, bytes, n);
	s->n += n;
}

static inline void put_entry(struct section *s, uint32_t id, const void *body, size_t n)
{
	uint32_t len = (uint32_t)n + 4;

	put(s, &len, 4);
	put(s, &id, 4);
	put(s, body, n);
}

/* .eh_frame: augmentation and what follows it up to the instructions are the caller's. */
static inline void put_cie(struct section *s, const void *body, size_t n)
{
	s->cie = s->n;
	put_entry(s, 0, body, n);
}

static inline void put_fde(struct section *s, uint32_t start, uint32_t size, const void *code,
			   size_t n)
{
	uint8_t body[256];
	uint32_t at = (uint32_t)s->n + 8, from = start - (ADDR + at);

	memcpy(body, &from, 4);
	memcpy(body + 4, &size, 4);
	body[8] = 0;
	memcpy(body + 9, code, n);
	put_entry(s, (uint32_t)(s->n + 4 - s->cie), body, n + 9);
}

#define PUT_CIE(s, ...) put_cie(s, (uint8_t[]){__VA_ARGS__}, sizeof((uint8_t[]){__VA_ARGS__}))
#define PUT_FDE(s, start, size, ...) \
	put_fde(s, start, size, (uint8_t[]){__VA_ARGS__}, sizeof((uint8_t[]){__VA_ARGS__}))
/* "zR", pc-relative 4 bytes; cfa rsp+8, rip at cfa-8 */
#define X86_CIE(s) PUT_CIE(s, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90, 1)
#define PUSH_RBP   0x41, 0x0e, 16, 0x86, 2
#define MOV_RBP	   0x43, 0x0d, 6

#endif
