/* SPDX-License-Identifier: BSD-3-Clause */
/* drv_door_win: see drv_door.h. The device has no name: it is found by its interface, and opened
 * for reading and writing, which only administrators may. */
#include "source/wperfdrv/drv_door.h"

#include "base/utf16.h"

#include <windows.h>

#include <cfgmgr32.h>

/* As the driver's interface, WP_DRV_INTERFACE. */
static const GUID interface_id = {
	0xf8047fdd, 0x7083, 0x4c2e, {0x90, 0xef, 0xc0, 0xc7, 0x3f, 0x10, 0x45, 0xfd}};

struct device_door {
	struct wp_drv_door door;
	HANDLE device;
};

static uint32_t ask_device(struct wp_drv_door *door, uint32_t code, const void *in, size_t n_in,
			   void *out, size_t n_out, size_t *ret)
{
	struct device_door *own = (struct device_door *)door;
	DWORD n = 0;

	if (!DeviceIoControl(own->device, code, (void *)in, (DWORD)n_in, out, (DWORD)n_out, &n,
			     NULL)) {
		DWORD error = GetLastError();

		return error ? error : ERROR_GEN_FAILURE;
	}
	*ret = n;
	return WP_DRV_OK;
}

static void close_device(struct wp_drv_door *door)
{
	struct device_door *own = (struct device_door *)door;

	CloseHandle(own->device);
	free(own);
}

static const struct wp_drv_door_ops ops = {.ask = ask_device, .close = close_device};

/* The paths of all present interfaces, each with its NUL, or NULL. The caller frees. */
static wchar_t *list_interfaces(void)
{
	GUID id = interface_id;
	wchar_t *paths;
	ULONG n = 0;

	if (CM_Get_Device_Interface_List_SizeW(
		    &n, &id, NULL, CM_GET_DEVICE_INTERFACE_LIST_PRESENT) != CR_SUCCESS ||
	    n < 2)
		return NULL;
	paths = wp_calloc(n + 2ul, sizeof(*paths));
	if (CM_Get_Device_Interface_ListW(&id, NULL, paths, n,
					  CM_GET_DEVICE_INTERFACE_LIST_PRESENT) == CR_SUCCESS &&
	    *paths)
		return paths;
	free(paths);
	return NULL;
}

static struct wp_err *refuse_device(DWORD error)
{
	if (error == ERROR_ACCESS_DENIED)
		return wp_err_new(WP_ERR_PERMISSION,
				  "the wperf driver is for administrators only: begin wperf in an "
				  "elevated console");
	return wp_err_new(WP_ERR_OS, "the wperf driver cannot be opened: error %lu of Windows",
			  (unsigned long)error);
}

struct wp_err *wp_drv_door_open(struct wp_drv_door **ret)
{
	wp_autofree wchar_t *path = list_interfaces();
	struct device_door *own;
	HANDLE device;

	if (!path)
		return wp_err_new(WP_ERR_NOT_FOUND,
				  "the wperf driver is not there: install WindowsPerf 3.8.0's "
				  "(wperf-devgen install) and begin again");
	device = CreateFileW(path, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
			     NULL, OPEN_EXISTING, 0, NULL);
	if (device == INVALID_HANDLE_VALUE)
		return refuse_device(GetLastError());
	own = wp_calloc(1, sizeof(*own));
	*own = (struct device_door){.door = {&ops}, .device = device};
	*ret = &own->door;
	return NULL;
}
