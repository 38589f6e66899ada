import type { SHELLS } from './spec.js';

const BASH = `# Completion of qwen for bash.
_qwen() {
  local current=\${COMP_WORDS[COMP_CWORD]} line quoted
  # A flag and its value are words of their own here, with the sign between them.
  [[ $current == = ]] && current=
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files | :folders) compopt -o default 2>/dev/null ;;
      *) printf -v quoted %q "\${line%%$'\\t'*}"; COMPREPLY+=("$quoted") ;;
    esac
  done < <(qwen __complete "\${COMP_WORDS[@]:1:COMP_CWORD-1}" "$current" 2>/dev/null)
}
complete -F _qwen qwen
`;

const ZSH = `#compdef qwen
# Completion of qwen for zsh.
_qwen() {
  local line kind
  local -a found before
  (( CURRENT > 2 )) && before=("\${(@Q)words[2,CURRENT-1]}")
  while IFS= read -r line; do
    case $line in
      :files | :folders) kind=$line ;;
      *$'\\t'*) found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
      *) found+=("\${line//:/\\\\:}") ;;
    esac
  done < <(qwen __complete "\${before[@]}" "\${(Q)words[CURRENT]}" 2>/dev/null)
  (( \${#found} )) && _describe -t words qwen found
  [[ $kind == :files ]] && _files
  [[ $kind == :folders ]] && _files -/
  return 0
}
if [[ \${funcstack[1]} == _qwen ]]; then _qwen "$@"; else compdef _qwen qwen; fi
`;

const FISH = `# Completion of qwen for fish.
function __qwen_complete
  set -l before (commandline -opc)
  set -l current (commandline -ct)
  for line in (qwen __complete $before[2..-1] "$current" 2>/dev/null)
    switch $line
      case :files
        __fish_complete_path "$current"
      case :folders
        __fish_complete_directories "$current"
      case '*'
        echo $line
    end
  end
end
complete -c qwen -f -a '(__qwen_complete)'
`;

/** The scripts call `qwen __complete WORD…`, so they always match the installed version. */
export const COMPLETION_SCRIPTS: Readonly<Record<(typeof SHELLS)[number], string>> = {
  bash: BASH,
  zsh: ZSH,
  fish: FISH,
};
