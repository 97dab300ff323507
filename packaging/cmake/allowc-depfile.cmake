# What CMake makes of a depfile. allowc writes each path so that make and ninja read it; CMake reads the file before
# they do, and hands on what it takes the paths to be. As tried with CMake 3.25:
#
# - With some characters that is another path: with Makefiles a changed layer would go unseen, with Ninja allowc would
#   run in every build. So a path with one of them stops the build:
#
#     Makefiles  : ; | " \ * ? [ and tab
#     Ninja      : ; | " \ * ? < > # $ & ' ` ^ and tab
#
#   (CMake refuses '#' in the build folder and in OUTPUT_DIR itself.)
# - With Makefiles it adds the paths of a run to those of all runs before, and an ADR that got another name would make
#   allowc run in every build. Where what it remembers is gone, it reads the depfile alone.
#
# As a script, after each run of allowc:
#   cmake -D GENERATOR=… -D DEPFILE=… -D STAMP=… -D REMEMBERED=… -P allowc-depfile.cmake

# What is wrong with the first such path of these, one a line; empty where nothing is.
function(_allowc_paths_problem result generator paths)
	if(generator MATCHES "Ninja")
		set(unfit "[:;|\"\\*?<>#$&'`^\t]")
	else()
		set(unfit "[:;|\"\\*?[\t]")
	endif()
	set(problem "")
	if(paths MATCHES "[^\n]*(${unfit})[^\n]*")
		string(CONCAT problem "allowc: with ${generator}, CMake cannot follow '${CMAKE_MATCH_0}': "
			"give it a name without '${CMAKE_MATCH_1}'")
	endif()
	set(${result} "${problem}" PARENT_SCOPE)
endfunction()

# The inputs of a run: a depfile's first rule, without its first line, which has the stamp.
function(_allowc_inputs result depfile)
	file(READ "${depfile}" text)
	string(FIND "${text}" "\n\n" end)
	string(SUBSTRING "${text}" 0 ${end} text)
	string(REPLACE " \\\n  " "\n" text "${text}")
	string(FIND "${text}" "\n" begin)
	string(SUBSTRING "${text}" ${begin} -1 text)
	string(REGEX REPLACE "\\\\([ \t#:])" "\\1" text "${text}")
	string(REPLACE "$$" "$" text "${text}")
	set(${result} "${text}" PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
	_allowc_inputs(inputs "${DEPFILE}")
	_allowc_paths_problem(problem "${GENERATOR}" "${inputs}")
	if(problem)
		# The next build runs allowc again, and stops here again.
		file(REMOVE "${STAMP}" "${DEPFILE}")
		message(FATAL_ERROR "${problem}")
	endif()
	file(REMOVE "${REMEMBERED}")
endif()
