# The program itself says which version this is. A newer one takes whatever an older one took and decides the same
# (grammar/README.md, editions), so it will do for whoever asks for less.
include("${CMAKE_CURRENT_LIST_DIR}/allowc-program.cmake")

if(ALLOWC_EXECUTABLE)
	execute_process(COMMAND "${ALLOWC_EXECUTABLE}" --version OUTPUT_VARIABLE _allowc_says ERROR_QUIET)
	if(_allowc_says MATCHES "^allowc ([0-9.]+)")
		set(PACKAGE_VERSION "${CMAKE_MATCH_1}")
	endif()
	unset(_allowc_says)
endif()

if(NOT PACKAGE_VERSION)
	set(PACKAGE_VERSION "unknown: no program 'allowc' that runs")
	set(PACKAGE_VERSION_UNSUITABLE TRUE)
elseif(PACKAGE_FIND_VERSION_RANGE)
	if(PACKAGE_VERSION VERSION_GREATER_EQUAL PACKAGE_FIND_VERSION_MIN AND
	   (PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION_MAX OR
	    (PACKAGE_FIND_VERSION_RANGE_MAX STREQUAL "INCLUDE" AND PACKAGE_VERSION VERSION_EQUAL PACKAGE_FIND_VERSION_MAX)))
		set(PACKAGE_VERSION_COMPATIBLE TRUE)
	endif()
elseif(PACKAGE_VERSION VERSION_GREATER_EQUAL PACKAGE_FIND_VERSION)
	set(PACKAGE_VERSION_COMPATIBLE TRUE)
	if(PACKAGE_VERSION VERSION_EQUAL PACKAGE_FIND_VERSION)
		set(PACKAGE_VERSION_EXACT TRUE)
	endif()
endif()
