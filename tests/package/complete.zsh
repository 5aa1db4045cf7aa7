# complete.zsh FOLDER LINE...: what zsh makes of each line and the tab key. A zsh of its own is typed to, whose widget says what the line
# is afterwards.
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D"
zpty -w shell "tell() { zle complete-word; print -r -- \"<<\$LBUFFER>>\"; LBUFFER= }; zle -N tell; bindkey '^T' tell; PS1=; print -r -- re''ady"
until zpty -r shell said && [[ $said == *ready* && $said != *print* ]]; do :; done
shift
for line; do
	zpty -w -n shell "$line"$'\x14'
	until zpty -r shell said && [[ $said == *'<<'*'>>'* ]]; do :; done
	said=${said##*<<}
	print -r -- ${said%%>>*}
done
zpty -d shell
