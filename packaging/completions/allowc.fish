function __allowc_first -d 'No word stands before'
	test (count (commandline -opc)) -eq 1
end

function __allowc_command -d 'The command of the line; `compile` where none is named'
	set -l words (commandline -opc)
	if contains -- "$words[2]" (__allowc_commands)
		echo $words[2]
	else
		echo compile
	end
end

function __allowc_in -d 'The command is one of these'
	contains -- (__allowc_command) $argv
end

function __allowc_option -d 'An option has begun'
	string match -q -- '-*' (commandline -ct)
end

# "names,+json": the last item. What is no artifact is a program allowc-gen-NAME on PATH.
function __allowc_artifacts
	set -l before (string match -r -- '^(?:-+[a-z-]+=)?(.*[,+])?' (commandline -ct))[2]
	for word in (__allowc_artifacts_built) all (complete -C allowc-gen- | string replace -rf -- '^allowc-gen-([^\t]+).*' '$1')
		echo "$before$word"
	end
end

# Behind -W: "NAME", "no-NAME", "error=NAME" and so on.
function __allowc_warning
	set -l begun (string replace -r -- '^-W' '' (commandline -ct))
	set -l before (string match -r -- '^(?:no-error=|error=|no-)' $begun)
	for name in (__allowc_warnings)
		echo "$before$name"
	end
	test "$before" = no-; and echo no-error
	test -z "$before"; and printf '%s\n' all error no-error
end

# Policies, and folders on the way to them.
function __allowc_policies
	set -l begun (string unescape -- (commandline -ct))
	for path in $begun*.allow $begun*/
		printf '%s\n' $path
	end
end

# How many arguments stand before, were no option to have a value of its own.
function __allowc_words_before
	set -l words (commandline -opc)
	count (string match -v -- '-*' $words[3..])
end

complete -c allowc -n '__allowc_in compile sync check list diff gate fmt git-diff; and not __allowc_option' -a '(__allowc_policies)'
complete -c allowc -n '__allowc_in explain; and test (__allowc_words_before) -eq 0' -a '(__allowc_policies) (__allowc_diagnostics)'
complete -c allowc -n '__allowc_in import' -F
complete -c allowc -n '__allowc_in adr; and test (__allowc_words_before) -eq 0' -a 'list check'
complete -c allowc -n '__allowc_in adr; and test (__allowc_words_before) -ge 1' -a '(__fish_complete_directories)'
