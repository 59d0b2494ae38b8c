/* SPDX-License-Identifier: BSD-3-Clause */
/* python_static: a Python, to be linked with all there is: no file of it is mapped but this
 * program's. */
#include <Python.h>

#if PY_VERSION_HEX >= 0x03080000
int main(int argc, char **argv)
{
	return Py_BytesMain(argc, argv);
}
#else
int main(int argc, char **argv)
{
	wchar_t *wide[64] = {0};

	for (int i = 0; i < argc && i < 63; i++)
		wide[i] = Py_DecodeLocale(argv[i], NULL);
	return Py_Main(argc, wide);
}
#endif
