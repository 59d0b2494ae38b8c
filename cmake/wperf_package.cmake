# `cpack` in a build folder makes a Debian package and an archive of what `cmake --install` installs, for the architecture
# that was built for. The package depends on the libraries that the program is linked with, as dpkg-shlibdeps finds them;
# for another architecture than this machine's that finds nothing, and cmake/package_depends.cmake reads the program.
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME wperf)
set(CPACK_PACKAGE_VENDOR "the wperf authors")
set(CPACK_PACKAGE_CONTACT "the wperf authors <wperf@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "profiler that says which native function, source line and Python line CPU events happened on")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_FILE_NAME wperf-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_CURRENT_SOURCE_DIR}/LICENSE)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
if(CMAKE_CROSSCOMPILING)
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
  set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_SOURCE_DIR}/cmake/package_depends.cmake)
  set(CPACK_WPERF_PROGRAM ${CMAKE_BINARY_DIR}/wperf)
else()
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
include(CPack)
