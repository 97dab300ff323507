_allowc_policies() {
	_files -g '*.allow(-.)'
}

# "names,+json": the last item. What is no artifact is a program allowc-gen-NAME on PATH.
_allowc_artifacts() {
	local -a generators
	generators=(${${(k)commands[(I)allowc-gen-*]}#allowc-gen-})
	compset -P '*[,+]'
	_describe -t artifacts artifact _allowc_artifacts
	compadd -- all $generators
}

# Behind -W: "NAME", "no-NAME", "error=NAME" and so on.
_allowc_warning() {
	local -a forms
	if ! compset -P '(no-|)error='; then
		if compset -P no-; then forms=(error); else forms=(all error no-error); fi
	fi
	_describe -t diagnostics diagnostic _allowc_warnings
	compadd -- $forms
}

_allowc_first() {
	(( CURRENT == 2 )) && _describe -t commands command _allowc_commands
	_allowc_policies
}

_allowc_explained() {
	_describe -t diagnostics diagnostic _allowc_diagnostics
	_allowc_policies
}

local command=compile
local -a places
if (( CURRENT > 2 && ${_allowc_commands[(I)$words[2]:*]} )); then
	command=$words[2]
	shift words
	(( CURRENT -= 1 ))
fi
case $command in
(compile) places=('1:command or policy:_allowc_first' '*:policy:_allowc_policies') ;;
(adr) places=('1:what to do:(list check)' '2:folder of ADRs:_files -/') ;;
(explain) places=('1:policy or diagnostic:_allowc_explained' '*:command: ') ;;
(import) places=('*:file:_files') ;;
(git-setup) places=() ;;
(*) places=('*:policy:_allowc_policies') ;;
esac
_allowc_options_of $command
_arguments -s -S : $_allowc_options $places
