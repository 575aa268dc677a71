# SPDX-License-Identifier: MIT
# bash completion of mtgraph-dump: commands, then the options that a command's own help names.

_mtgraph_dump()
{
	local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
	local tool=${COMP_WORDS[0]}

	if [ "$COMP_CWORD" -eq 1 ]; then
		COMPREPLY=($(compgen -W "$("$tool" --help 2>/dev/null |
			sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p') --help --version" \
			-- "$current"))
		return
	fi
	case $previous in
	--fill)
		COMPREPLY=($(compgen -W "zero pattern" -- "$current"))
		return
		;;
	--backend)
		COMPREPLY=($(compgen -W "mock drm" -- "$current"))
		return
		;;
	--schedule)
		COMPREPLY=($(compgen -W "fifo random:" -- "$current"))
		return
		;;
	esac
	case $current in
	-*)
		COMPREPLY=($(compgen -W "$("$tool" "${COMP_WORDS[1]}" --help 2>/dev/null |
			sed -n 's/^  \(--[a-z][a-z-]*\).*/\1/p')" -- "$current"))
		;;
	*)
		COMPREPLY=($(compgen -f -- "$current"))
		;;
	esac
}
complete -o filenames -F _mtgraph_dump mtgraph-dump
