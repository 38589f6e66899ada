import { isProtectedFile } from '../protected-files.js';
import { CARRIERS } from './programs.js';
import { baseName, type ShellWord } from './shell-reading.js';

/** Options by which programs that seem to look, or to do one thing, run another program or write a file (S11–S13). */
const EXECUTING: Readonly<Record<string, RegExp>> = {
  find: /^-(?:exec|execdir|ok|okdir|delete|fprint|fprintf|fprint0|fls|files0-from)$/,
  git: /^(?:-c.*|-C.*|-O.*|--(?:o|ou|out|outp|outpu|output|ext|ext-|ext-d.*|textc.*|exec.*|exe|up|upl.*|rec.*|config.*|git-d.*|work-t.*|open.*|contents|no-index)(?:=.*)?)$/s,
  rg: /^--(?:pre|hostname-bin|search-zip)(?:=.*)?$|^-\w*z/s,
  sort: /^(?:-o.*|-[a-zA-Z]*o|-T.*|--(?:o|comp|temp|files).*)$/s,
  sed: /^(?:-\w*i.*|--in-.*|-\w*f.*|--fi.*)$|[we]\s|e$|\bw\b/s,
  awk: /^-f|system|getline|\||>|@/s,
  gawk: /^-f|system|getline|\||>|@/s,
  man: /^(?:-[HP].*|--(?:html|pager|browser|gx).*)$/s,
  less: /^[+-]/,
  tar: /^(?:-?-?(?:checkpoint|to-c|use-c|rmt|rsh|I|F|new-vol|info).*|-\w*[IFxc]\w*|[a-zA-Z]*[xc][a-zA-Z]*)$/s,
  date: /^(?:-s|-f|--set|--file)/,
  file: /^(?:-m|-C|-f|--magic|--compile|--files)/,
  history: /^-/,
  ps: /^-?o/,
  printf: /^-v/,
  npm: /^--(?:script-shell|prefix|node-options|globalconfig|userconfig)/,
  rsync: /^(?:-\w*e.*|--(?:rsh|rsync-path).*)$/s,
  ssh: /./,
};

/** Subcommands of git that make or change what runs programs later (S39). */
const GIT_GUARDED = new Set(
  'config init clone worktree submodule hook filter-branch bisect difftool mergetool'.split(' '),
);

/**
 * How many of the first words a rule has to spell out before it allows the command: one for a plain program, up to
 * the last word that makes it more than that, so that `Bash(git *)` is no way to `git config core.hooksPath x`.
 */
export function guardedWords(words: readonly ShellWord[]): number {
  const [program, ...args] = words.map(({ text }) => text);
  if (program === undefined) return 1;
  const name = baseName(program);
  const executing = Object.hasOwn(EXECUTING, name) ? EXECUTING[name] : undefined;
  const isGuardedGit = name === 'git' && args.some((word) => GIT_GUARDED.has(word));
  let last = CARRIERS.has(name) && !isPlainFind(name, args) ? 1 : 0;
  for (const [index, word] of args.entries()) {
    if (executing?.test(word) === true || namesProtected(word)) last = index + 1;
    if (isGuardedGit && (GIT_GUARDED.has(word) || /hookspath|alias|pager|editor|helper|command/i.test(word))) {
      last = Math.max(last, index + 1);
    }
  }
  return last + 1;
}

function isPlainFind(name: string, args: readonly string[]): boolean {
  return name === 'find' && !args.some((word) => EXECUTING['find']?.test(word));
}

/** A word that may name a protected place, also behind `=` or `:`. */
function namesProtected(word: string): boolean {
  return word.split(/[=:,]/).some((part) => part !== '' && isProtectedFile(part));
}
