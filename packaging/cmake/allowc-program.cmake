# ALLOWC_EXECUTABLE: the program of this package, installed or built beside it; never one on PATH, which may be
# another version. -DALLOWC_EXECUTABLE=FILE names another.
if(NOT ALLOWC_EXECUTABLE)
	foreach(_allowc_candidate ../../../bin/allowc ../../build/allowc)
		get_filename_component(_allowc_candidate "${CMAKE_CURRENT_LIST_DIR}/${_allowc_candidate}" ABSOLUTE)
		if(EXISTS "${_allowc_candidate}" AND NOT IS_DIRECTORY "${_allowc_candidate}")
			set(ALLOWC_EXECUTABLE "${_allowc_candidate}")
			break()
		endif()
	endforeach()
	unset(_allowc_candidate)
endif()
