/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spe_source: what a record of Arm SPE says of the memory it touched, in the words of perf's
 * PERF_SAMPLE_DATA_SRC (union perf_mem_data_src, include/uapi/linux/perf_event.h), which are those
 * of every other processor's samples.
 *
 * Format stage, pure. The number in a SOURCE packet means what the core's maker wants: a table of
 * core families.
 */
#ifndef WP_SPE_SOURCE_H
#define WP_SPE_SOURCE_H

#include "format/spe/spe_decoder.h"

struct wp_spe_family;

/* The family of a core by its MIDR_EL1; NULL: what its sources mean is not known. */
const struct wp_spe_family *wp_spe_source_family(uint64_t midr);
const char *wp_spe_source_family_name(const struct wp_spe_family *family);
/* PERF_SAMPLE_DATA_SRC of a record; 0: it is no load and no store. The family may be NULL: what the
 * events say is all there is then. */
uint64_t wp_spe_source_data(const struct wp_spe_record *record, const struct wp_spe_family *family);

#endif
