# The BPF programs (src/bpf/) and their loader: WPERF_BPF=AUTO builds them when clang, bpftool and libbpf >= 1.0 are there, ON insists,
# OFF leaves them out: bpf_walker_none.c takes the place of bpf_walker.c and bpf_probes.c then. What walks stacks, compiled without and
# with WP_BOUNDED, becomes the skeletons generated/bpf/walk_bpf.skel.h and walk_bpf_bounded.skel.h: its bytes, and a struct with its maps,
# programs and variables; what turns hits of probes away becomes probe_bpf.skel.h,
# what reads their arguments args_bpf.skel.h, what looks at threads that sleep instant_bpf.skel.h.
set(WPERF_BPF AUTO CACHE STRING "Walk stacks in the kernel with BPF: AUTO, ON or OFF")
set_property(CACHE WPERF_BPF PROPERTY STRINGS AUTO ON OFF)

set(bpf_missing "")
set(bpf_packages "")
if(WPERF_BPF STREQUAL "OFF")
  set(bpf_missing "WPERF_BPF is OFF")
else()
  find_program(BPF_CLANG NAMES clang clang-14 clang-15 clang-16 clang-17 clang-18 clang-19 clang-20 clang-21)
  file(GLOB linux_tools /usr/lib/linux-tools/*) # Ubuntu's bpftool is one for each kernel; what it has in /usr/sbin wants the running one's
  find_program(BPFTOOL bpftool HINTS ${linux_tools} PATHS /usr/sbin /sbin)
  if(BPFTOOL)
    execute_process(COMMAND ${BPFTOOL} version RESULT_VARIABLE bpftool_fails OUTPUT_QUIET ERROR_QUIET)
  endif()
  find_library(LIBBPF bpf)
  find_path(LIBBPF_INCLUDE bpf/libbpf_version.h)
  if(LIBBPF_INCLUDE)
    file(STRINGS ${LIBBPF_INCLUDE}/bpf/libbpf_version.h libbpf_major REGEX "define LIBBPF_MAJOR_VERSION")
    string(REGEX REPLACE "[^0-9]" "" libbpf_major "${libbpf_major}")
  endif()
  if(NOT BPF_CLANG)
    list(APPEND bpf_packages clang)
  endif()
  if(NOT LIBBPF OR NOT LIBBPF_INCLUDE)
    list(APPEND bpf_packages libbpf-dev)
  endif()
  if(NOT BPFTOOL OR bpftool_fails)
    list(APPEND bpf_packages bpftool)
  endif()
  if(bpf_packages)
    list(JOIN bpf_packages " and no " bpf_missing)
    set(bpf_missing "no ${bpf_missing}")
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
  wperf_lacks("the BPF program (${bpf_missing})" "stacks are copied and Python frames are read by pinned readers, which costs more" ${bpf_packages})
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
  if(WPERF_WERROR)
    set(werror -Werror)
  endif()
  set(folder ${CMAKE_BINARY_DIR}/generated/bpf)
  file(MAKE_DIRECTORY ${folder})
  foreach(name walk_bpf walk_bpf_bounded probe_bpf args_bpf instant_bpf)
    string(REGEX REPLACE "_bpf.*" "" source ${name})
    set(object ${folder}/${name}.o)
    set(header ${folder}/${name}.skel.h)
    string(REGEX MATCH "_bounded$" bounded ${name})
    string(COMPARE NOTEQUAL "${bounded}" "" bounded)
    add_custom_command(OUTPUT ${header}
      COMMAND ${BPF_CLANG} -target bpf -mcpu=v3 -D__TARGET_ARCH_${bpf_arch} -DWP_BOUNDED=${bounded} -O2 -g -Wall -Wextra -Wno-unused-parameter ${werror}
        -I${CMAKE_SOURCE_DIR}/src -I${LIBBPF_INCLUDE} -idirafter ${CMAKE_SYSROOT}/usr/include/${multiarch}
        -MD -MF ${object}.d -MT ${header} -c ${CMAKE_SOURCE_DIR}/src/bpf/${source}.bpf.c -o ${object}
      # Without DWARF, which is half of it and nobody reads.
      COMMAND ${BPFTOOL} gen object ${folder}/${name}.linked.o ${object}
      COMMAND ${BPFTOOL} gen skeleton ${folder}/${name}.linked.o name ${name} > ${header}
      DEPENDS ${CMAKE_SOURCE_DIR}/src/bpf/${source}.bpf.c
      DEPFILE ${object}.d
      VERBATIM)
    target_sources(${library} PRIVATE ${header})
  endforeach()
  target_include_directories(${library} PRIVATE ${LIBBPF_INCLUDE})
  target_include_directories(${library} SYSTEM PRIVATE ${folder}) # of another style: a skeleton has functions that we do not call
  target_link_libraries(${library} PUBLIC ${LIBBPF})
endfunction()
