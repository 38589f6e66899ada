import { CARRIERS, type Carrier, HELP, SAME } from './carrier-table.js';
import { gitRuns } from './git-carriers.js';
import { isAbbreviation, namesNpmProgram, type ScannedWord, scanOptions } from './option-words.js';
import { INTERPRETERS, PLAIN_PROGRAMS, SHELLS } from './programs.js';
import { readSedScript, sedScriptOf } from './sed-script.js';
import { baseName, type ShellWord } from './shell-reading.js';

/** Start nothing but texts or programs of others. */
const ALWAYS = new Set('parallel at batch ed red ex vim vi nvim view rvim screen tmux newgrp'.split(' '));
const CODE_MODULES =
  /^(?:timeit|code|pdb|runpy|profile|cProfile|trace|pty|idlelib|bdb|ipdb|pudb|doctest|asyncio|_?pyrepl|IPython|ptpython|bpython|konch|xonsh)(?:\.|$)/;
const CONSOLES =
  /(?:^|\s|\/)(?:manage\.py|django-admin|flask|rails|artisan|wp|drush|mix|iex)\s+(?:shell\w*|dbshell|console|c|runner|r|tinker|eval\w*|php:eval|run\s+-e)(?:\s|$)|^(?:crystal|nim|scala-cli|swift|bun|lein|stack|cabal|elm|dotnet script)\s+(?:e|--eval\S*|eval|repl|ghci)(?:\s|$)/;
/** Run what a file describes, which may be their input. */
const RUNNERS = new Set(
  'cmake java uv rake ant just task go gradle mvn ninja tox nox invoke fab ansible-playbook'.split(' '),
);
const INPUT_VALUE = /(?:^|=|file:\/\/|^-[A-Za-z])\/(?:dev\/(?:stdin|fd\/)|proc\/\w+\/fd\/)/;
const INPUT_FILE = /^(?:-|\/(?:dev|proc)\/.*|data:.*|https?:.*)$/s;

/** The name in the tables: `python3.11` is `python`. */
export function carrierName(program: string): string {
  // Debian names builds `vim.basic`, `emacs-nox`, `x86_64-linux-gnu-gcc` and `perl5.36-x86_64-linux-gnu`.
  const base = baseName(program)
    .replace(/^\w+-linux-gnu\w*-|-\w+-linux-gnu\w*$/, '')
    .replace(/(?<=^(?:vim|emacs|ruby|php))[.-](?:basic|tiny|nox|gtk3?|gtk|athena|gnome|lucid|pgtk|x)$/, '');
  const name = base.replace(/(?<=[A-Za-z+])-?\d[\d.]*$/, (digits) =>
    /^(?:m4|7z|sqlite3|c[89]9)$/.test(base) ? digits : '',
  );
  const known = name === 'sqlite' ? 'sqlite3' : name;
  return Object.hasOwn(SAME, known) ? (SAME[known] ?? known) : known;
}

/** Programs whose first operand is a script. */
export function runsFiles(program: string): boolean {
  return SHELLS.has(baseName(program)) || carrierOf(carrierName(program))?.runsFile === true;
}

function carrierOf(name: string): Carrier | undefined {
  return Object.hasOwn(CARRIERS, name) ? CARRIERS[name] : undefined;
}

/**
 * Why a command may run more than its words show: it takes code or programs as text that is not understood.
 * Undefined for commands that run what files define, which no rule can see.
 */
export function runsUnreadText(words: readonly ShellWord[]): string | undefined {
  const [program, ...rest] = words;
  if (program === undefined) return undefined;
  const base = baseName(program.text);
  const name = carrierName(program.text);
  const args = rest.map(({ text }) => text);
  const reason = `${base} runs text that cannot be checked.`;
  if (SHELLS.has(base)) return shellRunsUnread(args) ? reason : undefined;
  if (base.startsWith('git-')) return gitRuns([base.slice(4), ...args]);
  if (ALWAYS.has(base) || ALWAYS.has(name))
    return args.some((word) => HELP.test(word)) || /^ls|list/.test(args[0] ?? '') ? undefined : reason;
  if (isRunning(name, args, rest) || CONSOLES.test([base, ...args].join(' '))) return reason;
  const takesCode = RUNNERS.has(name) || (INTERPRETERS.has(name) && name !== 'git');
  if (takesCode && args.some((word) => INPUT_VALUE.test(word) || (word === '-' && RUNNERS.has(name)))) return reason;
  return wrapsCode(base, rest) ? reason : undefined;
}

type Check = (args: readonly string[], name: string) => boolean;

const OWN_CHECKS = checks([
  ['git', (args) => gitRuns(args) !== undefined],
  ['sed', sedRuns],
  ['awk', awkRuns],
  ['make', makeRuns],
  ['npm pnpm yarn npx bunx', packageManagerRuns],
  [
    'deno',
    (args) => args.length === 0 || /^(?:eval|repl)$/.test(args[0] ?? '') || args.some((word) => INPUT_FILE.test(word)),
  ],
  ['ssh', sshRuns],
  [
    'go',
    (args) =>
      args.some((word) => /^--?(?:exec|toolexec|vettool|overlay|modfile)(?:=|$)/.test(word)) ||
      (args[0] === 'env' && args.some((word) => /^--?w$/.test(word))),
  ],
  ['tox', hasWord(/^(?:-x|--override|-c|--conf|--installpkg)/)],
  ['gcc g++ cc c++ cpp clang clang++ c89 c99 gfortran gdc gccgo', hasWord(/^-(?:wrapper|B|fplugin|-?specs)/)],
  ['curl', curlReadsInput],
  ['find', (args) => args.some((word, index) => word.includes('{}') && /^-(?:exec|ok)/.test(args[index - 1] ?? ''))],
  ['env', (args) => args.some((word) => /^(?:-\w*S|--s)/.test(word) && word.includes('\\'))],
  ['script', (args) => !args.some((word) => /^(?:-\w*c|--c)/.test(word) || HELP.test(word))],
  ['sqlite3', sqliteRuns],
  ['java', hasWord(/^-(?:XX:On\w*Error=|agentpath|agentlib|javaagent)/)],
  ['gh', (args) => /^(?:alias (?:set|import)|extension|ext|extensions)(?: |$)/.test(args.slice(0, 2).join(' '))],
  ['socat', hasWord(/(?:exec|system|shell):/i)],
  ['crontab', (args) => args.includes('-') || !args.some((word) => /^-[lrV]|^[^-]/.test(word))],
  ['psql mysql', databaseRuns],
  // An expression of Perl, except in the program of util-linux.
  ['rename prename file-rename', hasWord(/[;`$@({]|\/[a-z]*e[a-z]*$/)],
  // Modules are read from files.
  ['jq', hasWord(/\b(?:import|include)\b/)],
  ['rustc', hasWord(/^-C\s*linker|^--codegen=linker|^linker=/)],
  ['pdflatex latex tex xelatex lualatex', hasWord(/\\/)],
]);

const MORE_CHECKS = checks([
  ['bun', (args) => args[0] === 'exec' || args.includes('-')],
  ['tar', ([first = '']) => /^[A-Za-z]*[IF][A-Za-z]*$/.test(first)],
  ['zip', hasWord(/^-[A-Za-z]*TT/)],
  ['less', hasWord(/^\+/)],
]);

function checks(table: readonly (readonly [names: string, check: Check])[]): ReadonlyMap<string, Check> {
  return new Map(table.flatMap(([names, check]) => names.split(' ').map((name) => [name, check] as const)));
}

function hasWord(pattern: RegExp): Check {
  return (args) => args.some((word) => pattern.test(word));
}

function isRunning(name: string, args: readonly string[], words: readonly ShellWord[]): boolean {
  const check = OWN_CHECKS.get(name);
  if (check !== undefined) return check(args, name);
  const carrier = carrierOf(name);
  return MORE_CHECKS.get(name)?.(args, name) === true || (carrier !== undefined && carrierRuns(carrier, args, words));
}

function carrierRuns(carrier: Carrier, args: readonly string[], words: readonly ShellWord[]): boolean {
  const { letters = '', long = [], longValued = [], valued, runsFile, quiet, harmless } = carrier;
  const scanned = scanOptions(args, { valued: valued ?? letters, longValued: [...long, ...longValued] });
  const carries = ({ kind, name, value = '' }: ScannedWord): boolean => {
    if (kind === 'operand') return false;
    const isCode = kind === 'letter' ? letters.includes(name) : long.some((full) => isAbbreviation(name, full));
    return (isCode && harmless?.test(value) !== true) || value.startsWith('data:');
  };
  if (runsFile !== true) return scanned.some(carries);
  let isSure = true;
  for (const word of scanned) {
    if (carries(word)) return true;
    const isCode = word.kind === 'letter' ? letters.includes(word.name) : long.includes(word.name);
    if (isCode) return false;
    if (word.kind === 'letter' && word.name === 'm' && valued?.includes('m') === true) {
      return CODE_MODULES.test(word.value ?? '');
    }
    if (word.kind === 'operand') {
      const given = words[word.index];
      const isUnknown = given !== undefined && given.certainty !== 'fixed' && /^[$*?[`{]/.test(given.text);
      if (INPUT_FILE.test(word.name) || isUnknown) return true;
      if (isSure) return false;
    }
    // The value of an unknown option would look like the script.
    if (word.kind === 'long' && word.value === '') isSure = false;
  }
  return !scanned.some(({ kind }) => kind === 'operand') && !args.some((word) => quiet?.test(word) === true);
}

function shellRunsUnread(args: readonly string[]): boolean {
  let hasScript = false;
  for (const [index, word] of args.entries()) {
    if (/^--(?:rcfile|init-file)/.test(word)) return true;
    if (/^[-+][A-Za-z]*s/.test(word)) return true;
    if (/^-[A-Za-z]+$/.test(word) && word.includes('c')) return args[index + 1] === undefined;
    if (/^--(?:version|help)$/.test(word)) return false;
    if (word.startsWith('-') || word.startsWith('+')) continue;
    if (/^[-+]\w*[oO]$/.test(args[index - 1] ?? '')) continue;
    hasScript = true;
    if (INPUT_FILE.test(word)) return true;
    break;
  }
  return !hasScript;
}

function sedRuns(args: readonly string[]): boolean {
  const { script, isFile } = sedScriptOf(args);
  if (isFile && args.some((word) => /(?:^|f|=)(?:-|\/dev\/.*|\/proc\/.*)$/.test(word))) return true;
  if (isFile && script === '') return false;
  const read = readSedScript(script);
  return read === undefined || read.runs;
}

function awkRuns(args: readonly string[]): boolean {
  if (args.some((word) => /system|\||@|\\\n/.test(word))) return true;
  if (args.some((word) => /^-(?:[flLiEW]|-(?:file|exec|include|load|l|i|f|e))/.test(word))) return true;
  return args.length === 0;
}

function makeRuns(args: readonly string[]): boolean {
  const scanned = scanOptions(args, { valued: 'fCIojlWEO', longValued: ['file', 'makefile', 'eval', 'directory'] });
  return scanned.some(({ kind, name, value = '' }) => {
    if (kind === 'operand') {
      const [, variable = '', text = ''] = /^([^=]*?)[:?+!]*=(.*)$/s.exec(name) ?? [];
      return (
        variable !== '' && (/^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS|MAKEFILES)$/.test(variable) || /[^\w./@:+,=-]/.test(text))
      );
    }
    if (kind === 'letter' ? name === 'E' : name.length > 1 && isAbbreviation(name, 'eval')) return true;
    const isFile = kind === 'letter' ? name === 'f' : isAbbreviation(name, 'file') || isAbbreviation(name, 'makefile');
    return isFile && INPUT_FILE.test(value);
  });
}

function packageManagerRuns(args: readonly string[], name: string): boolean {
  const dashes = args.indexOf('--');
  const own = dashes < 0 ? args : args.slice(0, dashes);
  if (own.some(namesNpmProgram)) return true;
  const verb = own.find((word) => !word.startsWith('-')) ?? '';
  const executes = /^(?:npx|bunx)$/.test(name) || /^(?:exec|x|dlx|explore)$/.test(verb);
  if (!executes) return (/^(?:pkg|config|c)$/.test(verb) && own.includes('set')) || /^set(?:-script)?$/.test(verb);
  const first = own.findIndex((word) => !word.startsWith('-') && word !== verb);
  const options = own.slice(0, first < 0 ? own.length : first + 1);
  return (
    options.some((word) => /^-[A-Za-z]*c/.test(word)) ||
    (/^(?:exec|explore)$/.test(verb) && args.some((word) => /\s/.test(word)))
  );
}

function sshRuns(args: readonly string[]): boolean {
  const scanned = scanOptions(args, { valued: 'bcDEeFIiJLlmOopQRSWw' });
  if (
    scanned.some(
      ({ kind, name, value = '' }) =>
        kind === 'letter' &&
        (name === 'F' || (name === 'o' && /command|exec|include|match|provider|askpass/i.test(value))),
    )
  ) {
    return true;
  }
  const operands = scanned.filter(({ kind }) => kind === 'operand');
  return operands.length < 2 && !args.some((word) => HELP.test(word) || /^-[NGQTO]/.test(word));
}

/** Names and settings in its own language: `-K -`, `file:///%65tc`, `-T '{a,b}'`. */
function curlReadsInput(args: readonly string[]): boolean {
  const scanned = scanOptions(args, {
    valued: 'AbcCdDeEFhHKmoPQrTtuUwxXyYz',
    longValued: ['upload-file', 'config', 'url', 'data', 'json', 'header', 'form', 'output', 'variable'],
  });
  if (args.some((word) => /^--(?:proto-d|exp)/.test(word))) return true;
  return scanned.some(({ kind, name, value = '' }) => {
    if (kind === 'letter' && name === 'K') return INPUT_FILE.test(value);
    if (kind === 'long' && isAbbreviation(name, 'config') && name.length > 3) return INPUT_FILE.test(value);
    const isUpload = kind === 'letter' ? name === 'T' : kind === 'long' && name.startsWith('up');
    if (isUpload) return /[[{%]/.test(value);
    if (kind === 'letter' ? name === 'o' : name === 'output') return /#\d/.test(value);
    return /^(?:url=)?file:.*[%[{]/is.test(kind === 'operand' ? name : value);
  });
}

/** Without SQL, it reads commands from its input. */
function sqliteRuns(args: readonly string[]): boolean {
  if (args.some((word) => HELP.test(word))) return false;
  const operands = args.filter((word) => !word.startsWith('-'));
  if (args.some((word) => /^--?(?:cmd|init|A)/.test(word)) || operands.length < 2) return true;
  return operands.some((word) =>
    /(?:^|\n)\s*\.|edit\s*\(|load_extension|readfile|writefile|attach|zipfile|fsdir/i.test(word),
  );
}

function databaseRuns(args: readonly string[]): boolean {
  if (args.some((word) => HELP.test(word) || word === '-l')) return false;
  const hasCode = args.some((word) => /^-\w*[cef]|^--(?:command|execute|file)/.test(word));
  return !hasCode || args.some((word) => /\\|\bcopy\b|\bsystem\b|^-\w*f(?:-|\/dev\/.*)?$/i.test(word));
}

/** A program that is not known may start a shell or an interpreter with code in its arguments. */
function wrapsCode(base: string, args: readonly ShellWord[]): boolean {
  if (PLAIN_PROGRAMS.has(base) || carrierOf(carrierName(base)) !== undefined || base === 'git') return false;
  return args.slice(0, 100).some(({ text }, index) => {
    const name = carrierName(text);
    const isShell = SHELLS.has(baseName(text));
    if (!isShell && carrierOf(name)?.runsFile !== true) return false;
    const next = args.slice(index + 1).map((word) => word.text);
    if (isShell) return next.some((word) => /^-[A-Za-z]*c/.test(word));
    const options = next.slice(0, next.findIndex((word) => !word.startsWith('-')) + 1 || undefined);
    return (
      options.some((word) => word.startsWith('-')) && carrierRuns(carrierOf(name) ?? {}, next, args.slice(index + 1))
    );
  });
}
