# The BPF program (src/bpf/) and its loader: WPERF_BPF=AUTO builds them when clang and libbpf >= 1.0 are there, ON insists, OFF leaves
# them out. The program, compiled without and with WP_BOUNDED, becomes byte arrays in generated/walk_bpf_0.h and _1.h; without it bpf_walker_none.c takes bpf_walker.c's place.
set(WPERF_BPF AUTO CACHE STRING "Walk stacks in the kernel with BPF: AUTO, ON or OFF")
set_property(CACHE WPERF_BPF PROPERTY STRINGS AUTO ON OFF)

set(bpf_missing "")
if(WPERF_BPF STREQUAL "OFF")
  set(bpf_missing "WPERF_BPF is OFF")
else()
  find_program(BPF_CLANG NAMES clang clang-14 clang-15 clang-16 clang-17 clang-18 clang-19 clang-20 clang-21)
  find_library(LIBBPF bpf)
  find_path(LIBBPF_INCLUDE bpf/libbpf_version.h)
  if(LIBBPF_INCLUDE)
    file(STRINGS ${LIBBPF_INCLUDE}/bpf/libbpf_version.h libbpf_major REGEX "define LIBBPF_MAJOR_VERSION")
    string(REGEX REPLACE "[^0-9]" "" libbpf_major "${libbpf_major}")
  endif()
  if(NOT BPF_CLANG)
    set(bpf_missing "no clang")
  elseif(NOT LIBBPF OR NOT LIBBPF_INCLUDE)
    set(bpf_missing "no libbpf-dev")
  elseif(NOT libbpf_major GREATER_EQUAL 1)
    set(bpf_missing "libbpf is older than 1.0")
  endif()
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|amd64|AMD64")
    set(bpf_arch x86)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    set(bpf_arch arm64)
  else()
    set(bpf_missing "no register layout for ${CMAKE_SYSTEM_PROCESSOR}")
  endif()
endif()
if(bpf_missing AND WPERF_BPF STREQUAL "ON")
  message(FATAL_ERROR "WPERF_BPF=ON: ${bpf_missing}")
elseif(bpf_missing)
  message(STATUS "without the BPF program that walks stacks in the kernel: ${bpf_missing}")
endif()

# Adds the loader, or what replaces it, to a library.
function(wperf_add_bpf library)
  if(bpf_missing)
    return()
  endif()
  execute_process(COMMAND ${CMAKE_C_COMPILER} -print-multiarch OUTPUT_VARIABLE multiarch OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT multiarch)
    set(multiarch ${CMAKE_C_LIBRARY_ARCHITECTURE})
  endif()
  file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/bpf/*.h ${CMAKE_SOURCE_DIR}/src/core/python_*.h
    ${CMAKE_SOURCE_DIR}/src/core/unwind_rule.h)
  foreach(bounded 0 1)
    set(name walk_bpf_${bounded})
    set(object ${CMAKE_BINARY_DIR}/generated/${name}.o)
    set(header ${CMAKE_BINARY_DIR}/generated/${name}.h)
    add_custom_command(OUTPUT ${header}
      COMMAND ${BPF_CLANG} -target bpf -mcpu=v3 -D__TARGET_ARCH_${bpf_arch} -DWP_BOUNDED=${bounded} -O2 -g -Wall -Wextra -Wno-unused-parameter
        -I${CMAKE_SOURCE_DIR}/src -I${LIBBPF_INCLUDE} -idirafter ${CMAKE_SYSROOT}/usr/include/${multiarch}
        -c ${CMAKE_SOURCE_DIR}/src/bpf/walk.bpf.c -o ${object}
      COMMAND ${CMAKE_COMMAND} -DFROM=${object} -DTO=${header} -DNAME=${name} -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
      DEPENDS ${CMAKE_SOURCE_DIR}/src/bpf/walk.bpf.c ${headers} ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
      VERBATIM)
    target_sources(${library} PRIVATE ${header})
  endforeach()
  target_include_directories(${library} PRIVATE ${LIBBPF_INCLUDE})
  target_link_libraries(${library} PUBLIC ${LIBBPF})
endfunction()
