# Tests of wperf.exe that are programs for Windows themselves: tests/live/test_wperf_exe.sh runs them under Wine. Of the unit tests
# those of what is portable. What is left out asks Linux: for processes and maps, its rings, links and pipes, the caches that are not
# kept on Windows, symbol servers, DWARF.
set(linux_only bpf_direct bpf_join bpf_maps bpf_pool bpf_publish bpf_python bpf_ring code_join instant_reader kept_output launch library machine_probe
  other_roots owner perf_refusal perf_ring perf_set perf_spe pfm_events pinned pinned_alike pinned_look pinned_proof pmu_sysfs priority probe_btf
  process procfs python_asyncio python_build python_guess python_like python_seen python_source recorder recording recording_reader report resolver resolver_worker sampling_switch small_elf
  syscalls system_world unwind unwind_cache variables)
file(GLOB units CONFIGURE_DEPENDS unit/test_*.c windows/test_*.c)
foreach(name ${linux_only})
  list(FILTER units EXCLUDE REGEX "/test_${name}\\.c$")
endforeach()
foreach(file ${units} tools/pdb_lookup.c tools/resolve_addr.c tools/unwind_table.c)
  if(NOT EXISTS ${file} AND NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${file})
    continue()
  endif()
  get_filename_component(name ${file} NAME_WE)
  add_executable(${name} ${file})
  target_include_directories(${name} PRIVATE unit windows/include)
  target_link_libraries(${name} PRIVATE wperf_core)
endforeach()

# wperf with a model of WindowsPerf's driver where the device would be, as tests/CMakeLists.txt has it.
add_library(drv_model STATIC drvfake/drv_model.c)
target_include_directories(drv_model PUBLIC drvfake)
target_link_libraries(drv_model PUBLIC wperf_core)
target_link_libraries(test_drv PRIVATE drv_model)
target_link_libraries(test_drv_source PRIVATE drv_model)
add_executable(wperf_drvfake ${cli} drvfake/drv_door_model.c)
target_include_directories(wperf_drvfake PRIVATE ${CMAKE_SOURCE_DIR}/cli)
target_link_libraries(wperf_drvfake PRIVATE drv_model)
