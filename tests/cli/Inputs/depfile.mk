include hostile.d
all: ; @printf '%s\n' '$<'
