autocmd BufNewFile,BufRead *.allow setfiletype allow
