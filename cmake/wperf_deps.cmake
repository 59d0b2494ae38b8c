# Libraries from Debian/Ubuntu packages (tools/deps.txt names the packages and why each is needed).
add_library(wperf_deps INTERFACE)
find_library(LIBDW dw REQUIRED)
find_library(LIBELF elf REQUIRED)
find_library(LIBIBERTY iberty REQUIRED)
find_path(LIBIBERTY_INCLUDE libiberty/demangle.h REQUIRED)
find_path(ELFUTILS_INCLUDE elfutils/libdwfl.h REQUIRED)
find_library(LIBCAPSTONE capstone REQUIRED)
target_link_libraries(wperf_deps INTERFACE ${LIBDW} ${LIBELF} ${LIBCAPSTONE} ${LIBIBERTY} pthread m)
