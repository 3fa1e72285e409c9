/**
 * The completion scripts of shells. On Tab, each runs the typed program with `completion --suggest` and passes the arguments
 * unchanged, without evaluating them.
 * @module
 */

export const SHELLS = ["bash", "zsh", "fish"] as const;

export type Shell = (typeof SHELLS)[number];

/** The script of each shell. Without suggestions, shells suggest files. */
export const SHELL_SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# Completion of tenon for bash. In ~/.bashrc: source <(tenon completion bash)
_tenon() {
  local -a words lines
  local line current known
  read -ra words <<<"\${COMP_LINE:0:COMP_POINT}"
  [[ "\${COMP_LINE:0:COMP_POINT}" == *[[:space:]] ]] && words+=("")
  current="\${words[\${#words[@]} - 1]}"
  # Bash completes only the text after the last = or :, and keeps what precedes it.
  known="\${current%"\${current##*[=:]}"}"
  mapfile -t lines < <("$1" completion --suggest -- "\${words[@]:1}" 2>/dev/null)
  COMPREPLY=()
  for line in "\${lines[@]}"; do
    line="\${line%%$'\\t'*}"
    COMPREPLY+=("\${line#"$known"}")
  done
  if [[ \${#COMPREPLY[@]} -eq 1 && "\${COMPREPLY[0]}" == *= ]]; then compopt -o nospace; fi
}
complete -o default -F _tenon tenon
`,

  zsh: `#compdef tenon
# Completion of tenon for zsh. In ~/.zshrc, after compinit: source <(tenon completion zsh)
_tenon() {
  local -a lines whole open
  local line value
  lines=("\${(@f)$("\${words[1]}" completion --suggest -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  for line in $lines; do
    value="\${line%%$'\\t'*}"
    line="\${value//:/\\\\:}:\${line#*$'\\t'}"
    if [[ "$value" == *= ]]; then open+=("$line"); elif [[ -n "$value" ]]; then whole+=("$line"); fi
  done
  if (( \${#whole} + \${#open} == 0 )); then _files; return; fi
  (( \${#whole} )) && _describe tenon whole
  (( \${#open} )) && _describe tenon open -S ''
  return 0
}
if [[ "\${funcstack[1]}" == _tenon ]]; then _tenon "$@"; else compdef _tenon tenon; fi
`,

  fish: `# Completion of tenon for fish: tenon completion fish > ~/.config/fish/completions/tenon.fish
function __tenon_suggest
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l lines ($words[1] completion --suggest -- $words[2..-1] "$current" 2>/dev/null)
    if test (count $lines) -eq 0
        __fish_complete_path "$current"
    else
        printf '%s\\n' $lines
    end
end
complete -c tenon -f -a '(__tenon_suggest)'
`,
};
