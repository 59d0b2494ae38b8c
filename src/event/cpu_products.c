/* cpu_products: see cpu_products.h. */
#include "event/cpu_products.h"

#include "base/mem.h"

#include <string.h>

const struct wp_cpu_product wp_cpu_products[] = {
	{0, 0, "armv8-a", ""},
	{0, 0, "armv9-a", ""},
	{0x41, 0xd0c, "neoverse-n1", "Neoverse N1 (neoverse-n1), armv8.2, pmu_v3"},
	{0x41, 0xd49, "neoverse-n2", "Neoverse N2 (neoverse-n2), armv9.0, pmu_v3"},
	{0x41, 0xd8e, "neoverse-n3", "Neoverse N3 (neoverse-n3), armv9.2, pmu_v3"},
	{0x41, 0xd40, "neoverse-v1", "Neoverse V1 (neoverse-v1), armv8.4, pmu_v3"},
	{0x41, 0xd4f, "neoverse-v2", "Neoverse V2 (neoverse-v2), armv9.0, pmu_v3"},
	{0x41, 0xd83, "neoverse-v3", "Neoverse V3 (neoverse-v3), armv9.2, pmu_v3"},
};
const size_t wp_cpu_products_n = WP_ARRAY_LEN(wp_cpu_products);

/* Arm's own tables give Neoverse V3 both of these part numbers. */
#define PART_V3	      0xd83
#define PART_V3_OTHER 0xd84

const struct wp_cpu_product *wp_cpu_product_of(uint64_t midr)
{
	uint64_t part = midr >> 4 & 0xfff;

	if (part == PART_V3_OTHER)
		part = PART_V3;
	for (size_t i = 0; i < wp_cpu_products_n; i++)
		if (wp_cpu_products[i].implementer &&
		    wp_cpu_products[i].implementer == midr >> 24 && wp_cpu_products[i].part == part)
			return &wp_cpu_products[i];
	return NULL;
}

const struct wp_cpu_product *wp_cpu_product_find(const char *name)
{
	if (strcmp(name, "neoverse-n2-r0p0") == 0 || strcmp(name, "neoverse-n2-r0p1") == 0)
		name = "neoverse-n2";
	for (size_t i = 0; i < wp_cpu_products_n; i++)
		if (strcmp(wp_cpu_products[i].name, name) == 0)
			return &wp_cpu_products[i];
	return NULL;
}

/* Spellings as WindowsPerf prints them. */
static const struct {
	uint8_t implementer;
	const char *name;
} vendors[] = {
	{0x41, "Arm Limited"},
	{0x42, "Broadcomm Corporation"},
	{0x43, "Cavium Inc"},
	{0x44, "Digital Equipment Corporation"},
	{0x46, "Fujitsu Ltd"},
	{0x49, "Infineon Technologies AG"},
	{0x4d, "Motorola or Freescale Semiconductor Inc"},
	{0x4e, "NVIDIA Corporation"},
	{0x50, "Applied Micro Circuits Corporation"},
	{0x51, "Qualcomm Inc"},
	{0x56, "Marvell International Ltd"},
	{0x69, "Intel Corporation"},
	{0x6d, "Microsoft Corporation"},
	{0xc0, "Ampere Computing"},
};

const char *wp_cpu_vendor(uint64_t midr)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(vendors); i++)
		if (vendors[i].implementer == midr >> 24)
			return vendors[i].name;
	return "Unknown Vendor";
}
