/* SPDX-License-Identifier: BSD-3-Clause */
/* spe_sample: see spe_sample.h. */
#include "format/spe/spe_sample.h"

static enum wp_cpumode mode_of_level(unsigned int level)
{
	if (level == 0)
		return WP_MODE_USER;
	return level == 3 ? WP_MODE_OTHER : WP_MODE_KERNEL;
}

static struct wp_data_operation read_operation(const struct wp_spe_record *record)
{
	struct wp_data_operation ret = {
		.events = record->has & WP_SPE_HAS_EVENTS ? record->events : 0,
		.issue = (uint16_t)record->counter[WP_SPE_ISSUE],
		.translation = (uint16_t)record->counter[WP_SPE_TRANSLATION],
	};

	if (record->has & WP_SPE_HAS_OPERATION && wp_spe_class(record) == WP_SPE_BRANCH)
		ret.facts |= WP_OPERATION_BRANCH;
	if (wp_spe_is(record, WP_SPE_MISPREDICTED))
		ret.facts |= WP_OPERATION_MISPREDICTED;
	if (wp_spe_is(record, WP_SPE_NOT_TAKEN))
		ret.facts |= WP_OPERATION_NOT_TAKEN;
	if (wp_spe_is(record, WP_SPE_REMOTE))
		ret.facts |= WP_OPERATION_REMOTE;
	if (record->has & WP_SPE_HAS_COUNTER(WP_SPE_ISSUE))
		ret.facts |= WP_OPERATION_ISSUE;
	if (record->has & WP_SPE_HAS_COUNTER(WP_SPE_TRANSLATION))
		ret.facts |= WP_OPERATION_TRANSLATION;
	return ret;
}

bool wp_spe_sample_read(const struct wp_spe_record *record, const struct wp_spe_family *family,
			struct wp_spe_sample *ret)
{
	uint64_t pc = record->address[WP_SPE_PC];

	*ret = (struct wp_spe_sample){0};
	if (record->damaged || !(record->has & WP_SPE_HAS_ADDRESS(WP_SPE_PC)))
		return false;
	ret->has = WP_DATA_OPERATION;
	ret->mode = mode_of_level(wp_spe_level(pc));
	ret->ip = wp_spe_code_address(pc);
	ret->operation = read_operation(record);
	ret->src = wp_spe_source_data(record, family);
	if (ret->src)
		ret->has |= WP_DATA_SRC;
	if (record->has & WP_SPE_HAS_ADDRESS(WP_SPE_VIRTUAL)) {
		ret->has |= WP_DATA_ADDR;
		ret->addr = wp_spe_data_address(record->address[WP_SPE_VIRTUAL]);
	}
	if (record->has & WP_SPE_HAS_ADDRESS(WP_SPE_PHYSICAL)) {
		ret->has |= WP_DATA_PHYS_ADDR;
		ret->phys = record->address[WP_SPE_PHYSICAL] & ((UINT64_C(1) << 56) - 1);
	}
	if (record->has & WP_SPE_HAS_COUNTER(WP_SPE_TOTAL)) {
		ret->has |= WP_DATA_WEIGHT;
		ret->weight = record->counter[WP_SPE_TOTAL];
	}
	return true;
}

void wp_spe_sample_put(const struct wp_spe_sample *sample, struct wp_record *ret,
		       struct wp_sample_data *ret_data)
{
	ret->sample.mode = sample->mode;
	ret->sample.ip.v = sample->ip;
	ret->sample.data = ret_data;
	if (!ret_data)
		return;
	*ret_data = (struct wp_sample_data){
		.has = sample->has,
		.addr = sample->addr,
		.phys_addr = sample->phys,
		.src = sample->src,
		.weight = sample->weight,
		.operation = sample->operation,
	};
}
