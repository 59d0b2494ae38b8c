/* SPDX-License-Identifier: BSD-3-Clause */
/* spe_source: see spe_source.h. What cores' sources mean: their technical reference manuals. */
#include "format/spe/spe_source.h"

#include "core/data_src.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#define MIDR(implementer, part) ((implementer) << 24 | (part) << 4)
#define MIDR_MASK		(UINT64_C(0xff) << 24 | 0xfff << 4) /* without variant and revision */

#define ARM	  UINT64_C(0x41)
#define HISILICON UINT64_C(0x48)
#define NVIDIA	  UINT64_C(0x4e)
#define AMPERE	  UINT64_C(0xc0)

/* A hit in a level, and the number that says the same. */
#define HIT(level, number) \
	(WP_SRC_LEVEL(WP_LEVEL_##level | WP_LEVEL_HIT) | WP_SRC_NUMBER(WP_NUMBER_##number))
#define QUIET	 WP_SRC_SNOOP(WP_SNOOP_NONE)
#define SNOOPED	 WP_SRC_SNOOP(WP_SNOOP_HIT)
#define MODIFIED WP_SRC_SNOOP(WP_SNOOP_MODIFIED)
#define PEER	 WP_SRC_SNOOPX(WP_SNOOPX_PEER)
#define REMOTE	 WP_SRC_REMOTE

struct row {
	uint16_t code;
	uint64_t src;
};

/* "local" is the cluster's, "peer" another core's or cluster's of the socket. */
static const struct row common_rows[] = {
	{0x0, HIT(L1, L1) | QUIET},
	{0x8, HIT(L2, L2) | QUIET},
	{0x9, HIT(L2, L2) | PEER},
	{0xa, HIT(L3, L3) | PEER},
	{0xb, HIT(L3, L3) | SNOOPED},
	{0xc, HIT(L3, L3) | PEER},
	{0xd, WP_SRC_LEVEL(WP_LEVEL_NA) | WP_SRC_NUMBER(WP_NUMBER_NA) | REMOTE | PEER},
	{0xe, HIT(RAM, RAM) | QUIET},
};

static const struct row ampere_rows[] = {
	{0x0, HIT(L2, L2) | PEER}, /* another cache of the chip, or a device */
	{0x3, HIT(L3, L3) | SNOOPED}, {0x5, HIT(REMOTE_CACHE1, CACHE) | REMOTE | PEER},
	{0x7, HIT(RAM, RAM) | QUIET}, {0x8, HIT(L1, L1) | QUIET},
	{0x9, HIT(L2, L2) | QUIET},
};

static const struct row hip12_rows[] = {
	{0x0, HIT(L2, L2) | PEER},
	{0x1, HIT(L2, L2) | MODIFIED | PEER},
	{0x2, HIT(L3, L3) | SNOOPED},
	{0x3, HIT(L3, L3) | MODIFIED},
	{0x4, HIT(L3, L3) | PEER},
	{0x5, HIT(L3, L3) | MODIFIED | PEER},
	{0x6, HIT(REMOTE_CACHE1, CACHE) | REMOTE | PEER},
	{0x7, HIT(REMOTE_CACHE1, CACHE) | MODIFIED | REMOTE | PEER},
	{0x8, HIT(RAM, RAM) | QUIET},
	{0x9, HIT(REMOTE_RAM1, RAM) | REMOTE | QUIET},
	{13, HIT(IO, IO)},
	{16, HIT(L2, L2) | QUIET},
	{17, HIT(L2, L2) | MODIFIED},
	{18, HIT(L1, L1) | QUIET},
};

static const uint64_t common_cores[] = {
	MIDR(ARM, 0xd0c) /* Neoverse N1 */, MIDR(ARM, 0xd40) /* Neoverse V1 */,
	MIDR(ARM, 0xd44) /* X1 */,	    MIDR(ARM, 0xd49) /* Neoverse N2 */,
	MIDR(ARM, 0xd4b) /* A78C */,	    MIDR(ARM, 0xd4c) /* X1C */,
	MIDR(ARM, 0xd4d) /* A715 */,	    MIDR(ARM, 0xd4e) /* X3 */,
	MIDR(ARM, 0xd4f) /* Neoverse V2 */, MIDR(ARM, 0xd81) /* A720 */,
	MIDR(ARM, 0xd82) /* X4 */,	    MIDR(ARM, 0xd84) /* Neoverse V3 */,
	MIDR(ARM, 0xd85) /* X925 */,	    MIDR(ARM, 0xd87) /* A725 */,
	MIDR(ARM, 0xd89) /* A720AE */,	    MIDR(NVIDIA, 0x010) /* Olympus */,
};
static const uint64_t ampere_cores[] = {MIDR(AMPERE, 0xac3), MIDR(AMPERE, 0xac4)};
static const uint64_t hip12_cores[] = {MIDR(HISILICON, 0xd06)};

struct wp_spe_family {
	const char *name;
	const uint64_t *cores;
	size_t n_cores;
	const struct row *rows;
	size_t n_rows;
};

/* clang-format off */
#define FAMILY(name, cores, rows) {name, cores, ARRAY_SIZE(cores), rows, ARRAY_SIZE(rows)}
/* clang-format on */

static const struct wp_spe_family families[] = {
	FAMILY("Neoverse and Cortex", common_cores, common_rows),
	FAMILY("AmpereOne", ampere_cores, ampere_rows),
	FAMILY("HiSilicon HIP12", hip12_cores, hip12_rows),
};

static bool has_core(const struct wp_spe_family *family, uint64_t midr)
{
	for (size_t i = 0; i < family->n_cores; i++)
		if (family->cores[i] == (midr & MIDR_MASK))
			return true;
	return false;
}

const struct wp_spe_family *wp_spe_source_family(uint64_t midr)
{
	for (size_t i = 0; i < ARRAY_SIZE(families); i++)
		if (has_core(&families[i], midr))
			return &families[i];
	return NULL;
}

const char *wp_spe_source_family_name(const struct wp_spe_family *family)
{
	return family->name;
}

/* 0: the table does not know the number. */
static uint64_t look_up(const struct wp_spe_family *family, uint64_t code)
{
	for (size_t i = 0; i < family->n_rows; i++)
		if (family->rows[i].code == code)
			return family->rows[i].src;
	return 0;
}

/* Where no SOURCE says it: the last level that was asked, and whether it had the data. */
static uint64_t serve_by_events(const struct wp_spe_record *record)
{
	unsigned int level = 0;

	if (wp_spe_is(record, WP_SPE_LLC_ACCESS) || wp_spe_is(record, WP_SPE_LLC_MISS))
		level = WP_LEVEL_L3 |
			(wp_spe_is(record, WP_SPE_LLC_MISS) ? WP_LEVEL_MISS : WP_LEVEL_HIT);
	else if (wp_spe_is(record, WP_SPE_L2D_ACCESS) || wp_spe_is(record, WP_SPE_L2D_MISS))
		level = WP_LEVEL_L2 |
			(wp_spe_is(record, WP_SPE_L2D_MISS) ? WP_LEVEL_MISS : WP_LEVEL_HIT);
	else if (wp_spe_is(record, WP_SPE_L1D_ACCESS) || wp_spe_is(record, WP_SPE_L1D_REFILL))
		level = WP_LEVEL_L1 |
			(wp_spe_is(record, WP_SPE_L1D_REFILL) ? WP_LEVEL_MISS : WP_LEVEL_HIT);
	if (wp_spe_is(record, WP_SPE_REMOTE))
		level |= WP_LEVEL_REMOTE_CACHE1;
	return level ? WP_SRC_LEVEL(level) : WP_SRC_LEVEL(WP_LEVEL_NA);
}

static uint64_t snoop_by_events(const struct wp_spe_record *record)
{
	if (wp_spe_is(record, WP_SPE_MODIFIED))
		return MODIFIED;
	return wp_spe_is(record, WP_SPE_SNOOPED) ? SNOOPED : 0;
}

static uint64_t translate_by_events(const struct wp_spe_record *record)
{
	if (wp_spe_is(record, WP_SPE_TLB_WALK))
		return WP_SRC_TLB(WP_TLB_WALKER | WP_TLB_MISS);
	return wp_spe_is(record, WP_SPE_TLB_ACCESS) ? WP_SRC_TLB(WP_TLB_WALKER | WP_TLB_HIT) : 0;
}

uint64_t wp_spe_source_data(const struct wp_spe_record *record, const struct wp_spe_family *family)
{
	uint64_t src, served = 0;
	bool store = record->operation & 1;

	if (!(record->has & WP_SPE_HAS_OPERATION) || wp_spe_class(record) != WP_SPE_LOAD_STORE)
		return 0;
	src = WP_SRC_OP(store ? WP_OP_STORE : WP_OP_LOAD) | translate_by_events(record);
	if ((record->operation & 0xe2) == 0x02 && record->operation & 0x0c) /* atomic, exclusive */
		src |= WP_SRC_LOCK(WP_LOCK_LOCKED);
	if (!store && family && record->has & WP_SPE_HAS_SOURCE)
		served = look_up(family, record->source);
	if (!served)
		served = serve_by_events(record);
	if (!(served & WP_SRC_SNOOP(0x1f)))
		served |= snoop_by_events(record);
	return src | served;
}
