/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * session_cmn: the coherent mesh networks of this machine: `cmnlist` says which there are,
 * `cmninfo` what is where in them.
 *
 * Both from what the kernel's driver arm-cmn tells: a PMU arm_cmn_N with the file `identifier`
 * (part number, 3 hexadecimal digits, and revision, 2), and debugfs arm-cmn/map (map_N of the
 * others), which root can read.
 */
#include "session/setup.h"
#include "session/verbs/machine_docs.h"

#include "base/file.h"
#include "base/str.h"
#include "format/cmn_map.h"

#include <string.h>

#define STEM	      "arm_cmn"
#define MAP_MAX_BYTES 65536

/* A kind of mesh; its revisions are the numbers of the file `identifier`. */
static const struct product {
	uint32_t part;
	const char *name, *short_name;
	const char *revisions[8];
} products[] = {
	{0x434, "CMN-600", "CMN600", {"r1p0", "r1p1", "r1p2", "r1p3", "r2p0", "r3p0", "r3p1"}},
	{0x436, "CMN-650", "CMN650", {"r0p0", "r1p0", "r1p1", "r2p0", "r1p2"}},
	{0x43a, "CI-700", "CI700", {"r0p0", "r1p0", "r2p0"}},
	{0x43c, "CMN-700", "CMN700", {"r0p0", "r1p0", "r2p0", "r3p0"}},
};
static const struct product unknown_product = {0, "CMN", "CMN", {NULL}};

struct mesh {
	const struct wp_machine_pmu *pmu;
	uint32_t number; /* N of arm_cmn_N; 0 without one */
	const struct product *product;
	const char *revision; /* NULL: not known */
};

static const struct product *find_product(uint64_t part)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(products); i++)
		if (products[i].part == part)
			return &products[i];
	return &unknown_product;
}

/* False: the PMU is that of no mesh. */
static bool read_mesh(const struct wp_machine_pmu *pmu, struct mesh *ret)
{
	struct mesh mesh = {.pmu = pmu, .product = &unknown_product};
	uint64_t number = 0, identifier;

	if (strcmp(pmu->name, STEM) != 0 &&
	    (!wp_str_has_prefix(pmu->name, STEM "_") ||
	     !wp_str_to_u64(pmu->name + strlen(STEM "_"), 10, UINT32_MAX, &number)))
		return false;
	mesh.number = (uint32_t)number;
	wp_autofree char *path = wp_asprintf("%s/identifier", pmu->dir ? pmu->dir : "");
	wp_autofree char *line = wp_file_line(path);
	if (line && wp_str_to_u64(line, 16, 0xfffff, &identifier)) {
		mesh.product = find_product(identifier >> 8);
		if ((identifier & 0xff) < WP_ARRAY_LEN(mesh.product->revisions))
			mesh.revision = mesh.product->revisions[identifier & 0xff];
	}
	*ret = mesh;
	return true;
}

static char *map_path(const struct wp_machine *machine, const struct mesh *mesh)
{
	return mesh->number ? wp_asprintf("%s/sys/kernel/debug/arm-cmn/map_%u", machine->root,
					  mesh->number)
			    : wp_asprintf("%s/sys/kernel/debug/arm-cmn/map", machine->root);
}

static struct wp_err *read_mesh_map(const struct wp_machine *machine, const struct mesh *mesh,
				    struct wp_cmn_map *ret)
{
	wp_autofree char *path = map_path(machine, mesh), *text = NULL;
	wp_autoerr struct wp_err *err = wp_file_read(path, MAP_MAX_BYTES, &text, NULL);

	if (err)
		return wp_err_new(WP_ERR_UNSUPPORTED,
				  "what is where in %s cannot be read: %s; it takes root, and "
				  "debugfs mounted at /sys/kernel/debug",
				  mesh->pmu->name, err->text);
	if (!wp_cmn_map_parse(text, ret))
		return wp_err_new(WP_ERR_FORMAT, "%s: not a map of a mesh that is known", path);
	return NULL;
}

static struct wp_err *no_mesh(void)
{
	return wp_err_new(WP_ERR_UNSUPPORTED,
			  "this machine has no coherent mesh network that Linux knows: there is no "
			  "PMU " STEM "_N (driver arm-cmn, see wperf detect)");
}

static void add_list_row(struct wp_doc *doc, struct wp_table *table, const struct mesh *mesh)
{
	uint32_t cpu = mesh->pmu->cpus.cpus.n ? mesh->pmu->cpus.cpus.v[0] : 0;
	const char *name =
		wp_arena_printf(&doc->arena, "%s_%u", mesh->product->short_name, mesh->number);

	wp_table_add(table, (struct wp_cell[]){
				    wp_cell_str(name),
				    wp_cell_str(mesh->pmu->name),
				    wp_cell_str(mesh->revision ? mesh->revision : "-"),
				    wp_cell_number(cpu),
			    });
}

struct wp_err *wp_session_cmnlist(const struct wp_session_options *options,
				  struct wp_session_io *io, int *ret_exit)
{
	wp_autosetup struct wp_setup setup;
	struct mesh mesh;

	TRY(wp_setup_init(options, io, &setup));
	struct wp_doc *doc = wp_doc_new();
	struct wp_table *table = wp_doc_table(doc, doc->root, "CMNs");
	wp_table_column(table, "Mesh", WP_ALIGN_LEFT);
	wp_table_column(table, "PMU", WP_ALIGN_LEFT);
	wp_table_column(table, "Revision", WP_ALIGN_LEFT);
	wp_table_column(table, "CPU", WP_ALIGN_RIGHT);
	wp_vec_each (struct wp_machine_pmu, pmu, &setup.machine->pmus)
		if (read_mesh(pmu, &mesh))
			add_list_row(doc, table, &mesh);
	if (table->rows.n == 0) {
		wp_doc_free(doc);
		return no_mesh();
	}
	*ret_exit = 0;
	return wp_emit_and_free(options, io, doc);
}

static void add_mesh_device(struct wp_doc *doc, struct wp_node *devices,
			    const struct wp_cmn_map *map, const struct wp_cmn_xp *xp,
			    const unsigned int place[2])
{
	const struct wp_cmn_port *port = &xp->ports[place[0]];
	struct wp_node *device = wp_doc_object(doc, devices, NULL);
	int type = wp_cmn_node_type(port->kind);

	wp_doc_int(doc, device, "id", wp_cmn_device_id(map, xp, place[0], place[1]));
	if (type >= 0)
		wp_doc_int(doc, device, "type", type);
	wp_doc_str(doc, device, "type_s", port->kind);
	wp_doc_int(doc, device, "logical_id", port->logical_id[place[1]]);
}

static void add_port(struct wp_doc *doc, struct wp_node *ports, const struct wp_cmn_map *map,
		     const struct wp_cmn_xp *xp, unsigned int number)
{
	const struct wp_cmn_port *port = &xp->ports[number];
	struct wp_node *object = wp_doc_object(doc, ports, NULL), *devices = NULL;
	int type = wp_cmn_port_type(port->kind);

	wp_doc_int(doc, object, "port", number);
	wp_doc_int(doc, object, "type", type < 0 ? 0 : type);
	wp_doc_str(doc, object, "type_s", port->kind);
	for (unsigned int i = 0; i < WP_CMN_DEVICES; i++) {
		if (port->logical_id[i] < 0)
			continue;
		if (!devices)
			devices = wp_doc_array(doc, object, "devices");
		add_mesh_device(doc, devices, map, xp, (const unsigned int[]){number, i});
	}
}

static void add_xp(struct wp_doc *doc, struct wp_node *xps, const struct wp_cmn_map *map,
		   const struct wp_cmn_xp *xp)
{
	struct wp_node *object = wp_doc_object(doc, xps, NULL), *ports;

	wp_doc_int(doc, object, "X", xp->x);
	wp_doc_int(doc, object, "Y", xp->y);
	wp_doc_int(doc, object, "n_ports", map->ports);
	wp_doc_int(doc, object, "id", wp_cmn_xp_id(map, xp));
	if (xp->logical_id >= 0)
		wp_doc_int(doc, object, "logical_id", xp->logical_id);
	if (xp->dtc >= 0)
		wp_doc_int(doc, object, "dtc", xp->dtc);
	ports = wp_doc_array(doc, object, "ports");
	for (unsigned int i = 0; i < map->ports; i++)
		add_port(doc, ports, map, xp, i);
}

/* In the shape of Arm's cmn-tools, which topdown-tool reads. */
static void add_element(struct wp_doc *doc, struct wp_node *elements, const struct mesh *mesh,
			const struct wp_cmn_map *map)
{
	struct wp_node *object = wp_doc_object(doc, elements, NULL), *config, *xps;

	wp_doc_str(doc, object, "type", "interconnect");
	wp_doc_str(doc, object, "product", "CMN");
	wp_doc_str(doc, object, "version", mesh->product->name);
	if (mesh->revision)
		wp_doc_str(doc, object, "revision", mesh->revision);
	config = wp_doc_object(doc, object, "config");
	wp_doc_int(doc, config, "X", map->columns);
	wp_doc_int(doc, config, "Y", map->rows);
	wp_doc_bool(doc, config, "extra_ports", map->ports > 2);
	xps = wp_doc_array(doc, config, "xps");
	wp_vec_each (const struct wp_cmn_xp, xp, &map->xps)
		add_xp(doc, xps, map, xp);
}

/* One row of text for each device, and for each port without any that the map shows. */
static void add_rows(struct wp_doc *doc, struct wp_table *table, const struct wp_cmn_map *map,
		     const struct wp_cmn_xp *xp, unsigned int number)
{
	const struct wp_cmn_port *port = &xp->ports[number];
	bool any = false;

	for (int i = 0; *port->kind && i < WP_CMN_DEVICES; i++) {
		bool node = port->logical_id[i] >= 0;

		if (!node && (any || i < WP_CMN_DEVICES - 1))
			continue;
		any = true;
		wp_table_add(
			table,
			(struct wp_cell[]){
				wp_cell_number(xp->x),
				wp_cell_number(xp->y),
				wp_cell_str(wp_arena_printf(&doc->arena, "0x%x",
							    wp_cmn_xp_id(map, xp))),
				xp->dtc < 0 ? wp_cell_str("-") : wp_cell_number((uint64_t)xp->dtc),
				wp_cell_number(number),
				wp_cell_str(wp_arena_strdup(&doc->arena, port->kind)),
				wp_cell_str(
					node ? wp_arena_printf(&doc->arena, "0x%x",
							       wp_cmn_device_id(map, xp, number,
										(unsigned int)i))
					     : "-"),
				node ? wp_cell_number((uint64_t)port->logical_id[i])
				     : wp_cell_str("-"),
			});
	}
}

static void add_text(struct wp_doc *doc, const struct mesh *mesh, const struct wp_cmn_map *map)
{
	static const char *const columns[] = {"X",    "Y",	"XP nodeid", "DTC",
					      "Port", "Device", "nodeid",    "Logical ID"};
	struct wp_table *table;

	wp_doc_prose(doc, doc->root, "%s%s, %s%s%s: %u x %u crosspoints\n\n",
		     doc->root->first->next ? "\n" : "", mesh->pmu->name, mesh->product->name,
		     mesh->revision ? " " : "", mesh->revision ? mesh->revision : "", map->columns,
		     map->rows);
	table = wp_doc_table(doc, doc->root, mesh->pmu->name);
	doc->root->last->only = WP_TEXT_ONLY;
	for (size_t i = 0; i < WP_ARRAY_LEN(columns); i++)
		wp_table_column(table, columns[i],
				strcmp(columns[i], "Device") == 0 ? WP_ALIGN_LEFT : WP_ALIGN_RIGHT);
	wp_vec_each (const struct wp_cmn_xp, xp, &map->xps)
		for (unsigned int port = 0; port < map->ports; port++)
			add_rows(doc, table, map, xp, port);
}

static struct wp_err *add_mesh(struct wp_doc *doc, struct wp_node *elements,
			       const struct wp_machine *machine, const struct mesh *mesh)
{
	struct wp_cmn_map map = {0};

	TRY(read_mesh_map(machine, mesh, &map));
	add_element(doc, elements, mesh, &map);
	add_text(doc, mesh, &map);
	wp_cmn_map_deinit(&map);
	return NULL;
}

struct wp_err *wp_session_cmninfo(const struct wp_session_options *options,
				  struct wp_session_io *io, int *ret_exit)
{
	wp_autosetup struct wp_setup setup;
	struct wp_err *err = NULL;
	struct mesh mesh;

	TRY(wp_setup_init(options, io, &setup));
	struct wp_doc *doc = wp_doc_new();
	struct wp_node *elements = wp_doc_array(doc, doc->root, "elements");
	elements->only = WP_DATA_ONLY;
	wp_vec_each (struct wp_machine_pmu, pmu, &setup.machine->pmus)
		if (!err && read_mesh(pmu, &mesh))
			err = add_mesh(doc, elements, setup.machine, &mesh);
	if (!err && !elements->first)
		err = no_mesh();
	if (err) {
		wp_doc_free(doc);
		return err;
	}
	*ret_exit = 0;
	return wp_emit_and_free(options, io, doc);
}
