/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spe_sample: what a record of Arm SPE says, in the words that every other sample has.
 *
 * Format stage, pure. Who the thread was and when it was says whoever knows the buffer.
 */
#ifndef WP_SPE_SAMPLE_H
#define WP_SPE_SAMPLE_H

#include "core/record.h"
#include "format/spe/spe_decoder.h"
#include "format/spe/spe_source.h"

struct wp_spe_sample {
	uint32_t has; /* enum wp_data_part; 0: it is no sample (a damaged record) */
	uint8_t mode; /* enum wp_cpumode */
	uint64_t ip, addr, phys, src, weight;
	struct wp_data_operation operation;
};

/* False of a record that is damaged or has no program counter. The family may be NULL. */
bool wp_spe_sample_read(const struct wp_spe_record *record, const struct wp_spe_family *family,
			struct wp_spe_sample *ret);
/* The sample's part of the record, and (unless NULL) its data, which ret->sample.data is then. */
void wp_spe_sample_put(const struct wp_spe_sample *sample, struct wp_record *ret,
		       struct wp_sample_data *ret_data);

#endif
