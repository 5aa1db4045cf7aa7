autocmd BufRead,BufNewFile *.cir setfiletype cir
