# Each function below adds to COMPREPLY what can stand for `cur`, all of it behind `lead`.

_allowc_add() {
	local word
	while IFS= read -r word; do
		COMPREPLY+=("$lead$word")
	done
}

_allowc_add_words() {
	_allowc_add < <(compgen -W "$1" -- "$cur")
}

# Files with a suffix, or all; folders lead to them.
_allowc_add_files() {
	compopt -o filenames 2>/dev/null
	_allowc_add < <(
		compgen -d -- "$cur"
		compgen -f -X "${1:+!*$1}" -- "$cur" | while IFS= read -r file; do
			[[ -d $file ]] || printf '%s\n' "$file"
		done
	)
}

_allowc_add_folders() {
	compopt -o filenames 2>/dev/null
	_allowc_add < <(compgen -d -- "$cur")
}

# "names,+js": the last item. What is no artifact is a program allowc-gen-NAME on PATH; compgen would run what other
# names hold, as $(…).
_allowc_add_artifacts() {
	local item=${cur##*[,+]}
	local lead=$lead${cur%"$item"} cur=$item generators
	generators=$(compgen -c allowc-gen- | LC_ALL=C sed -n 's/^allowc-gen-\([a-z][a-z0-9-]*\)$/\1/p' | sort -u)
	_allowc_add_words "$(_allowc_artifacts) all $generators"
}

# Behind -W: "NAME", "no-NAME", "error=NAME" and so on.
_allowc_add_warnings() {
	local names
	names=$(_allowc_warnings)
	case $cur in
	error=* | no-error=*)
		local lead=$lead${cur%%=*}= cur=${cur#*=}
		_allowc_add_words "$names"
		;;
	no-*) _allowc_add_words "no-error no-${names// / no-}" ;;
	*) _allowc_add_words "$names all error no-error" ;;
	esac
}

# What an option's value can be: a kind, then words.
_allowc_add_value() {
	local kind=$1
	shift
	case $kind in
	words | perhaps) _allowc_add_words "$*" ;;
	folder) _allowc_add_folders ;;
	file) _allowc_add_files ;;
	artifacts) _allowc_add_artifacts ;;
	warning) _allowc_add_warnings ;;
	esac
}

# An argument of a command, before which `place` of them stand.
_allowc_add_argument() {
	case $1 in
	adr) if ((place == 0)); then _allowc_add_words 'list check'; else _allowc_add_folders; fi ;;
	explain)
		((place > 0)) && return
		_allowc_add_words "$(_allowc_diagnostics)"
		_allowc_add_files .allow
		;;
	import) _allowc_add_files ;;
	git-setup) ;;
	*) _allowc_add_files .allow ;;
	esac
}

# Whether a value is to follow option $2 of command $1; $3: after a "=" that readline has cut off.
_allowc_waits() {
	local kind
	kind=$(_allowc_value "$1" "$2")
	[[ $kind && ($3 || $kind != perhaps*) || $3 && $2 == -W*error ]]
}

# The value of an option, in whichever way it is spelt.
_allowc_add_value_of() {
	if [[ $2 == -W*error ]]; then
		_allowc_add_words "$(_allowc_warnings)"
	else
		local value
		read -ra value <<<"$(_allowc_value "$1" "$2")"
		_allowc_add_value "${value[@]}"
	fi
}

# What can stand where no option waits for its value.
_allowc_add_word() {
	case $cur in
	--*=*)
		local lead=${cur%%=*}= cur=${cur#*=}
		_allowc_add_value_of "$1" "${lead%=}"
		;;
	-W*)
		local lead=-W cur=${cur#-W}
		[[ $(_allowc_value "$1" -W) ]] && _allowc_add_warnings
		;;
	-*) _allowc_add_words "$(_allowc_options "$1")" ;;
	*) _allowc_add_argument "$1" ;;
	esac
}

_allowc() {
	local cur=${COMP_WORDS[COMP_CWORD]} lead='' command=compile first=1
	local place=0 option='' equals='' literal='' word i
	COMPREPLY=()
	if ((COMP_CWORD == 1)); then
		_allowc_add_words "$(_allowc_commands)"
	elif [[ " $(_allowc_commands) " == *" ${COMP_WORDS[1]} "* ]]; then
		command=${COMP_WORDS[1]} first=2
	fi
	for ((i = first; i < COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		if [[ $word == = && $option ]]; then
			equals=yes
		elif [[ $option && ! $literal ]] && _allowc_waits "$command" "$option" "$equals"; then
			option='' equals=''
		elif [[ $word == -- ]]; then
			literal=yes
		elif [[ $word == -?* && ! $literal ]]; then
			option=$word equals=''
		else
			((place += 1))
			option='' equals=''
		fi
	done
	[[ $cur == = && $option ]] && cur='' equals=yes
	if [[ $literal ]]; then
		_allowc_add_argument "$command"
	elif [[ $option ]] && _allowc_waits "$command" "$option" "$equals"; then
		_allowc_add_value_of "$command" "$option"
	else
		_allowc_add_word "$command"
	fi
}

complete -F _allowc allowc
