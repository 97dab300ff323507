# find_package(allowc) gives the program as the target allowc::allowc, and the function allowc_generate(). It works
# where `make install` put it (PREFIX/share/cmake/allowc) and in the source tree (allowc_DIR=packaging/cmake).
#
#   allowc_generate(TARGET name POLICY file [OUTPUT_DIR folder] [EMIT artifact...] [OPTIONS option...])
#
# makes an interface library: what links to it is compiled after the policy, and finds the policy's headers.
#
#   POLICY      relative to the source folder
#   OUTPUT_DIR  relative to the build folder; `generated` there by default; several policies may share one
#   EMIT        the items of --emit
#   OPTIONS     more options of allowc; not those that say where to write, nor -n, --check and --list-outputs
#
# The target's property ALLOWC_STAMP is a file that each run of allowc makes new: a custom command that reads another
# artifact than a header depends on it. Which paths CMake can follow: allowc-depfile.cmake.

include("${CMAKE_CURRENT_LIST_DIR}/allowc-program.cmake")
if(NOT ALLOWC_EXECUTABLE)
	set(allowc_FOUND FALSE)
	set(allowc_NOT_FOUND_MESSAGE
		"there is no program 'allowc' where this package looks: install it, or build it by 'make'")
	return()
endif()

cmake_policy(PUSH)
cmake_policy(VERSION 3.20...3.25)
include("${CMAKE_CURRENT_LIST_DIR}/allowc-depfile.cmake")

if(NOT TARGET allowc::allowc)
	add_executable(allowc::allowc IMPORTED)
	set_target_properties(allowc::allowc PROPERTIES IMPORTED_LOCATION "${ALLOWC_EXECUTABLE}")
endif()
set(_allowc_script "${CMAKE_CURRENT_LIST_DIR}/allowc-depfile.cmake")
set_target_properties(allowc::allowc PROPERTIES ALLOWC_SCRIPT "${_allowc_script}")
unset(_allowc_script)

# The headers that the policy's artifacts will have. Reads no ADR, so that only a policy that says nothing at all
# (it does not parse, it is not there) stops here; all else fails the build.
function(_allowc_headers result program policy)
	execute_process(
		COMMAND "${program}" ${ARGN} --list-outputs -- "${policy}"
		OUTPUT_VARIABLE output ERROR_VARIABLE messages RESULT_VARIABLE status)
	if(NOT status EQUAL 0)
		message(NOTICE "${messages}")
		message(FATAL_ERROR "allowc_generate: allowc cannot say what '${policy}' writes")
	endif()
	string(REGEX MATCHALL "[^\n]+\\.h\n" headers "${output}")
	string(REPLACE "\n" "" headers "${headers}")
	set(${result} "${headers}" PARENT_SCOPE)
endfunction()

function(allowc_generate)
	cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;POLICY;OUTPUT_DIR" "EMIT;OPTIONS")
	if(DEFINED arg_UNPARSED_ARGUMENTS)
		message(FATAL_ERROR "allowc_generate: unknown argument '${arg_UNPARSED_ARGUMENTS}'")
	endif()
	if(DEFINED arg_KEYWORDS_MISSING_VALUES)
		message(FATAL_ERROR "allowc_generate: nothing follows '${arg_KEYWORDS_MISSING_VALUES}'")
	endif()
	foreach(name TARGET POLICY)
		if(NOT arg_${name})
			message(FATAL_ERROR "allowc_generate: ${name} is missing")
		endif()
	endforeach()
	if(NOT arg_OUTPUT_DIR)
		set(arg_OUTPUT_DIR generated)
	endif()

	set(policy "${arg_POLICY}")
	set(folder "${arg_OUTPUT_DIR}")
	cmake_path(ABSOLUTE_PATH policy BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
	cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" NORMALIZE)
	set(stamp "${CMAKE_CURRENT_BINARY_DIR}/${arg_TARGET}.stamp")
	set(depfile "${CMAKE_CURRENT_BINARY_DIR}/${arg_TARGET}.d")
	foreach(path "${policy}" "${folder}" "${stamp}")
		_allowc_paths_problem(problem "${CMAKE_GENERATOR}" "${path}")
		if(problem)
			message(FATAL_ERROR "${problem}")
		endif()
	endforeach()

	get_target_property(program allowc::allowc IMPORTED_LOCATION)
	get_target_property(script allowc::allowc ALLOWC_SCRIPT)
	set(options --quiet --output "${folder}")
	if(arg_EMIT)
		string(JOIN "," emit ${arg_EMIT})
		list(APPEND options --emit "${emit}")
	endif()
	list(APPEND options ${arg_OPTIONS})

	# The header's name is that of the policy, which is in the policy.
	_allowc_headers(headers "${program}" "${policy}" ${options})
	set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${policy}")

	# An artifact that does not change keeps its time: the stamp is what is newer, and a header is a by-product.
	add_custom_command(
		OUTPUT "${stamp}"
		BYPRODUCTS ${headers}
		COMMAND "${program}" ${options} --depfile "${depfile}" --stamp "${stamp}" -- "${policy}"
		COMMAND "${CMAKE_COMMAND}" -D "GENERATOR=${CMAKE_GENERATOR}" -D "DEPFILE=${depfile}" -D "STAMP=${stamp}"
			-D "REMEMBERED=${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${arg_TARGET}.dir/compiler_depend.internal" -P "${script}"
		DEPENDS "${policy}" "${program}"
		DEPFILE "${depfile}"
		COMMENT "Compiling policy ${arg_POLICY}"
		VERBATIM)
	add_library(${arg_TARGET} INTERFACE "${stamp}")
	target_include_directories(${arg_TARGET} INTERFACE "${folder}")
	set_target_properties(${arg_TARGET} PROPERTIES ALLOWC_STAMP "${stamp}")
endfunction()

cmake_policy(POP)
