/*
 * python_types: CPython's structures as its installed headers declare them, for debuggers to look
 * at; and with -DSTANDS_IN, a library that looks like CPython from outside, in any flavour that the
 * headers know (-DPy_GIL_DISABLED, -DPy_TRACE_REFS).
 */
#define Py_BUILD_CORE 1
#include <Python.h>
#if PY_VERSION_HEX < 0x030b0000
#include <frameobject.h>
#endif
#if __has_include("internal/pycore_pystate.h")
#include "internal/pycore_pystate.h"
#endif
#if __has_include("internal/pycore_interp.h")
#include "internal/pycore_interp.h"
#endif
#if __has_include("internal/pycore_interp_structs.h")
#include "internal/pycore_interp_structs.h"
#endif
#if __has_include("internal/pycore_runtime.h")
#include "internal/pycore_runtime.h"
#endif
#if __has_include("internal/pycore_interpframe_structs.h")
#include "internal/pycore_interpframe_structs.h"
#elif __has_include("internal/pycore_frame.h")
#include "internal/pycore_frame.h"
#endif

PyASCIIObject ascii;
PyCompactUnicodeObject compact;
PyBytesObject bytes;
PyCodeObject code;
PyThreadState thread;
PyHeapTypeObject heap_type;
PyInterpreterState interpreter;
#if PY_VERSION_HEX < 0x030b0000
PyFrameObject frame;
#else
_PyInterpreterFrame frame;
#endif
#if PY_VERSION_HEX >= 0x030b0000 && PY_VERSION_HEX < 0x030d0000
_PyCFrame cframe;
#endif

#ifndef STANDS_IN
#if __has_include("internal/pycore_pystate.h")
_PyRuntimeState runtime;
#endif
#else
#if PY_VERSION_HEX >= 0x030d0000
#include "internal/pycore_ceval.h"
#include "internal/pycore_runtime_init.h"
_PyRuntimeState _PyRuntime __attribute__((section(".PyRuntime"))) =
	_PyRuntimeState_INIT(_PyRuntime, _Py_Debug_Cookie);
#else
_PyRuntimeState _PyRuntime;
#endif
#if PY_VERSION_HEX >= 0x030b0000
const unsigned long Py_Version = PY_VERSION_HEX;
PyTypeObject PyCode_Type = {.tp_basicsize = offsetof(PyCodeObject, co_code_adaptive)};
#else
PyTypeObject PyCode_Type = {.tp_basicsize = sizeof(PyCodeObject)};
#endif

const char *Py_GetVersion(void)
{
	return PY_VERSION;
}

/* Its parameters are other ones in every version. */
long evaluation_loop(void) __asm__("_PyEval_EvalFrameDefault");

long evaluation_loop(void)
{
	return 0;
}
#endif
