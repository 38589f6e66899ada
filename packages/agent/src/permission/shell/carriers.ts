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

function isRunning(name: string, args: readonly string[], words: readonly ShellWord[]): boolean {
  switch (name) {
    case 'git':
      return gitRuns(args) !== undefined;
    case 'sed':
      return sedRuns(args);
    case 'awk':
      return awkRuns(args);
    case 'make':
      return makeRuns(args);
    case 'npm':
    case 'pnpm':
    case 'yarn':
    case 'npx':
    case 'bunx':
      return packageManagerRuns(name, args);
    case 'deno':
      return args.length === 0 || /^(?:eval|repl)$/.test(args[0] ?? '') || args.some((word) => INPUT_FILE.test(word));
    case 'bun':
      if (args[0] === 'exec' || args.includes('-')) return true;
      break;
    case 'ssh':
      return sshRuns(args);
    case 'go':
      return (
        args.some((word) => /^--?(?:exec|toolexec|vettool|overlay|modfile)(?:=|$)/.test(word)) ||
        (args[0] === 'env' && args.some((word) => /^--?w$/.test(word)))
      );
    case 'tox':
      return args.some((word) => /^(?:-x|--override|-c|--conf|--installpkg)/.test(word));
    case 'gcc':
    case 'g++':
    case 'cc':
    case 'c++':
    case 'cpp':
    case 'clang':
    case 'clang++':
    case 'c89':
    case 'c99':
    case 'gfortran':
    case 'gdc':
    case 'gccgo':
      return args.some((word) => /^-(?:wrapper|B|fplugin|-?specs)/.test(word));
    case 'curl':
      return curlReadsInput(args);
    case 'find':
      return args.some((word, index) => word.includes('{}') && /^-(?:exec|ok)/.test(args[index - 1] ?? ''));
    case 'env':
      return args.some((word) => /^(?:-\w*S|--s)/.test(word) && word.includes('\\'));
    case 'tar':
      if (/^[A-Za-z]*[IF]/.test(args[0] ?? '') && !args[0]?.startsWith('-') && /^[A-Za-z]+$/.test(args[0] ?? ''))
        return true;
      break;
    case 'zip':
      if (args.some((word) => /^-[A-Za-z]*TT/.test(word))) return true;
      break;
    case 'less':
      if (args.some((word) => word.startsWith('+'))) return true;
      break;
    case 'script':
      return !args.some((word) => /^(?:-\w*c|--c)/.test(word) || HELP.test(word));
    case 'sqlite3':
      return sqliteRuns(args);
    case 'java':
      return args.some((word) => /^-(?:XX:On\w*Error=|agentpath|agentlib|javaagent)/.test(word));
    case 'gh':
      return /^(?:alias (?:set|import)|extension|ext|extensions)(?: |$)/.test(args.slice(0, 2).join(' '));
    case 'socat':
      return args.some((word) => /(?:exec|system|shell):/i.test(word));
    case 'crontab':
      return args.includes('-') || !args.some((word) => /^-[lrV]|^[^-]/.test(word));
    case 'psql':
    case 'mysql':
      return databaseRuns(args);
    case 'rename':
    case 'prename':
    case 'file-rename':
      // An expression of Perl, except in the program of util-linux.
      return args.some((word) => /[;`$@({]|\/[a-z]*e[a-z]*$/.test(word));
    case 'jq':
      // Modules are read from files.
      return args.some((word) => /\b(?:import|include)\b/.test(word));
    case 'rustc':
      return args.some((word) => /^-C\s*linker|^--codegen=linker|^linker=/.test(word));
    case 'pdflatex':
    case 'latex':
    case 'tex':
    case 'xelatex':
    case 'lualatex':
      return args.some((word) => word.includes('\\'));
  }
  const carrier = carrierOf(name);
  return carrier !== undefined && carrierRuns(carrier, args, words);
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

function packageManagerRuns(name: string, args: readonly string[]): boolean {
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
