import { isProtectedFile } from '../protected-files.js';
import { carrierName, runsUnreadText } from './carriers.js';
import { attachedValues, namesNpmFolder, namesNpmProgram, scanOptions } from './option-words.js';
import { INTERPRETERS, LAUNCHERS } from './programs.js';
import { readSedScript, sedScriptOf } from './sed-script.js';
import { baseName, type ShellWord } from './shell-reading.js';

type Words = Readonly<Record<string, RegExp>>;

/** Options by which read-only programs run others; includes abbreviations. */
const RUNNING: Words = {
  find: /^-(?:exec|ok)/,
  git: /^(?:-c.*|-O.*|--(?:ext|textc|exec|exe|up|rec|config-env|open).*)$/s,
  rg: /^--(?:pre|hostname-bin)(?:=|$)/,
  sort: /^--comp/,
  sed: /(?:^|[;\s\d$/,}])e(?:\s|$)|[/|#,:@][gpiIM\d]*e[gpiIMw\d]*$/,
  awk: /^-f|system|getline|\||@/,
  man: /^(?:-[HP]|--(?:html|pager|browser))/,
  less: /^\+/,
  tar: /^(?:-?-?(?:checkpoint|to-c|use-c|rmt|rsh|info|new-vol)|-\w*[IF])/,
  rsync: /^(?:-\w*e|--(?:rsh|rsync-path))/,
};

/** Options by which they write, leave the folder, or read unnamed files. */
const WRITING: Words = {
  find: /^-(?:delete|fprint|fls|files0-from)/,
  git: /^(?:-C.*|--(?:o|ou|out|outp|outpu|output|output-d.*|git-d.*|work-t.*|contents|no-index|prefix|export-m.*|import-m.*|uns.*|obj.*|filter-t.*)(?:=.*)?)$/s,
  rg: /^--search-zip|^-\w*z/,
  sort: /^(?:-\w*o|-T|--(?:o|temp|files))/,
  sed: /^(?:-\w*[if]|--(?:in-|fi))|(?:^|[;\s\d$/,}])[wr]\s|[/|#,:@]\w*w\s/,
  awk: />|^-[dop]|^--(?:dum|pre|pro)/,
  tar: /^(?:-\w*[xcruA]|\w*[xcruA]\w*$|--(?:extract|get|create|append|update|cat|conc|delete|index-f|x|cr|ap))/,
  tree: /^-\w*o|^--o/,
  shuf: /^(?:-\w*o|--o)/,
  iconv: /^(?:-\w*o|--o)/,
  date: /^(?:-s|-f|--set|--file)/,
  file: /^(?:-[mCf]|--(?:magic|compile|files))/,
  history: /^-/,
  curl: /^-[A-Za-z]*K|^--conf|%output\{/,
  less: /^-/,
  ps: /^-?o/,
  printf: /^-v/,
  ssh: /./,
};

/** Programs whose operand after these many is written, with their options that take a value. */
const OUTPUT_OPERANDS: Readonly<Record<string, { readonly inputs: number; readonly valued: string }>> = {
  uniq: { inputs: 1, valued: 'fsw' },
  xxd: { inputs: 1, valued: 'cglnosR' },
  ptx: { inputs: 1, valued: 'AFMSWbgiorw' },
  cpp: { inputs: 1, valued: 'DIUoixA' },
  pdftotext: { inputs: 1, valued: 'flrxyWHo' },
  ps2pdf: { inputs: 1, valued: '' },
  dos2unix: { inputs: 0, valued: 'cD' },
  unix2dos: { inputs: 0, valued: 'cD' },
};

/** The index of the first operand that is a file to write, or -1. */
function outputAt(name: string, args: readonly string[]): number {
  const known = Object.hasOwn(OUTPUT_OPERANDS, name) ? OUTPUT_OPERANDS[name] : undefined;
  if (known === undefined) return -1;
  const operands = scanOptions(args, known).filter(({ kind }) => kind === 'operand');
  const [input] = operands;
  if (name === 'xxd' && input !== undefined && input.index + 1 < args.length) return input.index + 1;
  return operands[known.inputs]?.index ?? -1;
}

function matches(table: Words, program: string, word: string): boolean {
  const name = carrierName(program);
  return Object.hasOwn(table, name) && table[name]?.test(word) === true;
}

const LANGUAGES = new Set(
  'python perl ruby node deno bun php lua tclsh expect Rscript osascript julia pwsh'.split(' '),
);

const GIT_GUARDED = new Set(
  (
    'config init clone worktree submodule hook filter-branch bisect difftool mergetool fast-import checkout-index ' +
    'format-patch interpret-trailers diagnose bugreport mailinfo mailsplit merge-file pack-objects index-pack'
  ).split(' '),
);

const STARTS_PROGRAM = /exec|system|spawn|popen|subprocess|child_process|eval|compile|import\s*\(|__|`|%x|qx|fork|\|/i;

const CODE_OPTION = /^-(?:\w*[ceErp]|-eval(?:=.*)?|-print(?:=.*)?)$/s;
const ATTACHED_CODE = /^-\w*?[ceEp].*[("'`]/s;

export function mayExecute(program: string, args: readonly string[]): boolean {
  const name = baseName(program);
  if (args.some((word) => matches(RUNNING, name, word))) return true;
  const code = args.findIndex(
    (word) => CODE_OPTION.test(word) || (LANGUAGES.has(carrierName(name)) && ATTACHED_CODE.test(word)),
  );
  const texts = args.slice(code).map((word, index) => (index === 0 ? word.replace(/^(?:--\w+=?|-\w)/, '') : word));
  return INTERPRETERS.has(name) && code >= 0 && texts.some((word) => STARTS_PROGRAM.test(word));
}

/**
 * How many leading words a rule must spell out, so that `Bash(git *)` does not allow `git config core.hooksPath x`.
 */
export function countRequiredWords(words: readonly ShellWord[]): number {
  const [program, ...args] = words.map(({ text }) => text);
  if (program === undefined) return 1;
  const name = baseName(program);
  // Spelled out as a whole. A rule for a language allows its code.
  if (!LANGUAGES.has(carrierName(name)) && (runsUnreadText(words) !== undefined || writesBySed(name, args)))
    return words.length;
  const isGuardedGit = name === 'git' && args.some((word) => GIT_GUARDED.has(word));
  let last = LAUNCHERS.has(name) && !isPlainFind(name, args) ? 1 : 0;
  const verb = args.findIndex((word) => !word.startsWith('-'));
  last = Math.max(last, outputAt(name, args) + 1);
  if (PACKAGE_MANAGERS.has(name)) last = Math.max(last, packageManagerWords(args, verb));
  const takesCommits = name === 'git' && TAKES_COMMITS.has(args[verb] ?? '');
  for (const [index, word] of args.entries()) {
    const named = takesCommits ? word.replace(COMMIT, '') : word;
    const isProtected = namesProtected(named) || (words[index + 1]?.certainty === 'glob' && HIDDEN_GLOB.test(word));
    if (matches(RUNNING, name, word) || matches(WRITING, name, word) || isProtected) last = index + 1;
    if (isGuardedGit && (GIT_GUARDED.has(word) || /hookspath|alias|pager|editor|helper|command/i.test(word))) {
      last = Math.max(last, index + 1);
    }
  }
  return last + 1;
}

/** `git mv` could create a file `HEAD`, which makes a folder a repository. */
const TAKES_COMMITS = new Set('push reset rebase merge revert cherry-pick branch tag switch checkout stash'.split(' '));
const COMMIT = /^HEAD(?=:|$)/;

const PACKAGE_MANAGERS = new Set(['npm', 'pnpm', 'yarn', 'bun']);

/** What follows `--` belongs to the script. */
function packageManagerWords(args: readonly string[], verb: number): number {
  const dashes = args.indexOf('--');
  const own = dashes < 0 ? args : args.slice(0, dashes);
  const option = own.findLastIndex((word) => namesNpmProgram(word) || namesNpmFolder(word));
  return Math.max(option, /^(?:exec|x|dlx|explore|create)$/.test(args[verb] ?? '') ? verb : -1) + 1;
}

function writesBySed(name: string, args: readonly string[]): boolean {
  return carrierName(name) === 'sed' && readSedScript(sedScriptOf(args).script)?.files.length !== 0;
}

function isPlainFind(name: string, args: readonly string[]): boolean {
  return name === 'find' && !args.some((word) => matches(RUNNING, name, word));
}

/** Only these patterns expand to hidden names, as of protected files. */
const HIDDEN_GLOB = /(?:^|[/=:,])\.[^/]*[*?[]/;

function namesProtected(word: string): boolean {
  return word
    .split(/[=:,]/)
    .concat(attachedValues(word))
    .some((part) => part !== '' && isProtectedFile(part));
}
