" Vim syntax file
" Language: policies of allowc, allow(5)
" No word is reserved: a keyword is one where the language puts it, at the start of a statement or among a row's
" attributes. So what follows a verb, a comma and the like is asked for first, as a name.

if exists('b:current_syntax')
  finish
endif
let s:keep = &cpoptions
set cpoptions&vim

syntax case match
syntax iskeyword @,48-57,_,-,192-255

" Names, and what stands in their place.
syntax match allowName contained /[^[:space:]{}()&|,;"<>#=][^[:space:]{}()&|,;"<>#]*/ nextgroup=allowComma,allowVersion skipwhite
syntax match allowCapability contained /\<CAP_[A-Z0-9_]\+\>/ nextgroup=allowComma skipwhite
syntax match allowGroup /\%(^\|[[:space:],{;]\)\@1<=@[^[:space:]{}()&|,;"<>#]\+/ nextgroup=allowComma skipwhite
syntax match allowKind contained /syscall\ze\%(\s\|$\)/ nextgroup=@allowSubject skipwhite
syntax match allowComma contained /,/ nextgroup=@allowSubject,allowListComment skipwhite skipnl skipempty
syntax match allowListComment contained /#.*$/ contains=@Spell nextgroup=@allowSubject,allowListComment skipwhite skipnl skipempty
syntax match allowVersion contained />=\s*[^[:space:]{}()&|,;"<>#]\+/ nextgroup=allowComma skipwhite
syntax cluster allowSubject contains=allowName,allowKind,allowCapability,allowGroup,allowString
syntax region allowString start=/"/ skip=/\\./ end=/"/ end=/$/ oneline contains=allowEscape,@Spell nextgroup=allowComma,allowVersion skipwhite
syntax match allowEscape contained /\\\%(["\\nt]\|u{\x\+}\)/
syntax match allowLibrary /<std-[a-z0-9-]\+>/

" The arguments of a call.
syntax region allowCondition matchgroup=allowParenthesis start=/(/ end=/)/ oneline contains=allowCondition,allowConstant,allowNumber,allowOperator
syntax match allowConstant contained /\<[A-Z][A-Z0-9]*_[A-Z0-9_]*\>/
syntax match allowNumber contained /\<-\?\%(0x\x\+\|0b[01]\+\|0o\?\o*\|[1-9]\d*\)\>/
syntax match allowOperator contained /&&\|[&|]\|[=!<>]=\|[<>]/

" Attributes, behind a row's subjects or on lines of its block.
syntax match allowAttribute /\%(^\|[[:space:];{]\)\@1<=because\ze\%([[:space:]"]\|$\)/
syntax match allowAttribute /\%(^\|[[:space:];{]\)\@1<=\%(adr\|as\|path\|instead\|needs\|requires\)\ze\%([[:space:]"]\|$\)/ nextgroup=@allowSubject skipwhite
syntax match allowAttribute /\%(^\|[[:space:];{]\)\@1<=with\ze\%(\s\|$\)/ nextgroup=allowAction skipwhite
syntax match allowAttribute /\%(^\|[[:space:];{]\)\@1<=on\ze\%(\s\|$\)/ nextgroup=allowPlatform skipwhite
syntax match allowAttribute /\%(^\|[[:space:];{]\)\@1<=until\ze\%(\s\|$\)/ nextgroup=allowDate skipwhite
syntax match allowAction contained /\<\%(allow\|kill\|log\|default\)\>/
syntax match allowAction contained /\<errno\>/ nextgroup=allowErrno skipwhite
syntax match allowErrno contained /\<\%(E[A-Z0-9]\+\|\d\+\)\>/
syntax match allowPlatform contained /\<\%(linux\|macos\|windows\|freebsd\)\>/ nextgroup=allowPlatformComma skipwhite
syntax match allowPlatformComma contained /,/ nextgroup=allowPlatform skipwhite skipnl skipempty
syntax match allowDate contained /\<\d\{4}-\d\d-\d\d\>/

" Statements: first words of a line, or behind `;` or a brace.
syntax match allowVerb /\%(^\|[;{}]\)\s*\zs\%(allow\|forbid\|decline\|revoke\)\ze\%([[:space:]"]\|$\)/ nextgroup=@allowSubject skipwhite
syntax match allowStatement /\%(^\|[;{}]\)\s*\zs\%(title\|seccomp\)\ze\%([[:space:]"{]\|$\)/
syntax match allowStatement /\%(^\|[;{}]\)\s*\zs\%(policy\|extends\|use\|role\|plugin\|syscalls\|tools\|optional\)\ze\%([[:space:]"<]\|$\)/ nextgroup=@allowSubject,allowLibrary skipwhite
syntax match allowStatement /\%(^\|[;{}]\)\s*\zsedition\ze\%(\s\|$\)/ nextgroup=allowNumber skipwhite
syntax match allowStatement /\%(^\|[;{}]\)\s*\zs\%(decisions\|output\)\ze\%([[:space:]"]\|$\)/ nextgroup=allowPlace,allowTarget skipwhite
syntax match allowTarget contained /[^[:space:]{}()&|,;"<>#=]\+/ nextgroup=allowPlace skipwhite
syntax region allowPlace contained start=/"/ skip=/\\./ end=/"/ end=/$/ oneline contains=allowEscape nextgroup=allowPlaceWord skipwhite
syntax match allowPlaceWord contained /\<\%(accept\|region\)\>/ nextgroup=@allowSubject skipwhite
syntax match allowStatement /\%(^\|[;{}]\)\s*\zsexpect\ze\%(\s\|$\)/ nextgroup=allowExpectation skipwhite
syntax match allowExpectation contained /\<\%(allowed\|forbidden\|unlisted\|denied\|strength\)\>/ nextgroup=@allowSubject skipwhite
syntax match allowExpectation contained /\<adr\>/ nextgroup=allowReference skipwhite
syntax match allowReference contained /[^[:space:]{}()&|,;<>#]\+/ nextgroup=allowAdds skipwhite
syntax match allowAdds contained /\<adds\>/ nextgroup=@allowSubject skipwhite

" Settings of the filter.
syntax match allowSetting /\%(^\|[;{}]\)\s*\zs\%(default\|deny-with\|unknown\)\ze\%(\s\|$\)/ nextgroup=allowAction skipwhite
syntax match allowSetting /\%(^\|[;{}]\)\s*\zs\%(base\|arch\|abi\|hot\)\ze\%(\s\|$\)/ nextgroup=@allowSubject skipwhite

" A comment begins where a word could.
syntax match allowComment /\%(^\|[[:space:]{}(),;&|<>]\)\@1<=#.*$/ contains=@Spell

highlight default link allowVerb Keyword
highlight default link allowStatement Statement
highlight default link allowSetting Statement
highlight default link allowAttribute Keyword
highlight default link allowKind Keyword
highlight default link allowExpectation Keyword
highlight default link allowAdds Keyword
highlight default link allowPlaceWord Keyword
highlight default link allowAction Constant
highlight default link allowErrno Constant
highlight default link allowCapability Constant
highlight default link allowConstant Constant
highlight default link allowPlatform Constant
highlight default link allowGroup Identifier
highlight default link allowTarget Identifier
highlight default link allowLibrary Include
highlight default link allowString String
highlight default link allowPlace String
highlight default link allowEscape SpecialChar
highlight default link allowNumber Number
highlight default link allowVersion Number
highlight default link allowDate Number
highlight default link allowOperator Operator
highlight default link allowParenthesis Delimiter
highlight default link allowComment Comment
highlight default link allowListComment Comment

let b:current_syntax = 'allow'
let &cpoptions = s:keep
unlet s:keep
