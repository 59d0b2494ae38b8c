# Libraries from Debian/Ubuntu packages (tools/deps.txt names the packages and why each is needed).
add_library(wperf_deps INTERFACE)

# WPERF_STATIC=ON links the archives in them, so that the program needs nothing but a C library, and ALL that one too: then nothing
# can be loaded later, and symbol servers are not asked.
set(WPERF_STATIC OFF CACHE STRING "Link libraries statically: OFF, ON (all but the C library) or ALL")
set_property(CACHE WPERF_STATIC PROPERTY STRINGS OFF ON ALL)
if(WPERF_STATIC)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
  find_library(LIBBZ2 bz2 REQUIRED)
  target_link_options(wperf_deps INTERFACE -static-libgcc)
else()
  set(LIBBZ2 "")
endif()
if(WPERF_STATIC STREQUAL "ALL")
  target_link_options(wperf_deps INTERFACE -static)
endif()

find_library(LIBDW dw REQUIRED)
find_library(LIBELF elf REQUIRED)
find_library(LIBIBERTY iberty REQUIRED)
find_path(LIBIBERTY_INCLUDE libiberty/demangle.h REQUIRED)
find_path(ELFUTILS_INCLUDE elfutils/libdwfl.h REQUIRED)
find_library(LIBLZMA lzma REQUIRED)
find_library(LIBZSTD zstd REQUIRED)
find_library(LIBZ z REQUIRED)
find_library(LIBCAPSTONE capstone REQUIRED)
target_link_libraries(wperf_deps INTERFACE ${LIBDW} ${LIBELF} ${LIBCAPSTONE} ${LIBIBERTY} ${LIBLZMA} ${LIBBZ2} ${LIBZSTD} ${LIBZ} pthread m ${CMAKE_DL_LIBS})

# Without such a library there is less in wperf: NAME the library's, HEADER one of its, PACKAGE Debian's, LESS what is not there.
macro(wperf_wants NAME HEADER PACKAGE LESS)
  find_library(LIB_${NAME} ${NAME})
  find_path(INCLUDE_${NAME} ${HEADER})
  if(LIB_${NAME} AND INCLUDE_${NAME})
    target_link_libraries(wperf_deps INTERFACE ${LIB_${NAME}})
    target_include_directories(wperf_deps INTERFACE ${INCLUDE_${NAME}})
  else()
    set(${NAME}_missing "no ${PACKAGE}")
    wperf_lacks("lib${NAME} (no ${PACKAGE})" "${LESS}" ${PACKAGE})
  endif()
endmacro()

# What libpfm4 knows of the CPU's events is more of the same: without it the tables of data/events/ and sysfs remain.
wperf_wants(pfm perfmon/pfmlib.h libpfm4-dev "fewer event names of this CPU, and fewer descriptions")
# Fields of tracepoints are read without it; what the kernel would print of them is its work.
wperf_wants(traceevent traceevent/event-parse.h libtraceevent-dev "fields of tracepoints are listed, not printed as the kernel does")
# Screens that reports are walked through on. Its functions that look terminals up are a library of their own in Debian.
wperf_wants(ncursesw ncurses.h libncurses-dev "reports are text on terminals too")
if(NOT ncursesw_missing)
  find_library(LIB_tinfo tinfo)
  if(LIB_tinfo)
    target_link_libraries(wperf_deps INTERFACE ${LIB_tinfo})
  endif()
endif()
