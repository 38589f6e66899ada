import { HELP } from './carrier-table.js';
import { carrierName, runsFiles, runsUnreadText } from './carriers.js';
import { attachedValues } from './option-words.js';
import { choosesProgram, isProgramVariable } from './program-variables.js';
import { EVALUATING, LAUNCHERS, PLAIN_PROGRAMS, SELF_CONTAINED } from './programs.js';
import { baseName, type ShellCommand, type ShellReading, type ShellWord } from './shell-reading.js';

const found = new WeakMap<ShellReading, { readonly reason: string | undefined }>();

/** Why a deny rule may apply to what the commands do not show, although all of them are known. */
export function opaqueReason(reading: ShellReading): string | undefined {
  const known = found.get(reading);
  if (known !== undefined) return known.reason;
  const reason = findReason(reading);
  found.set(reading, { reason });
  return reason;
}

function findReason(reading: ShellReading): string | undefined {
  const chosen = reading.assigned.find(choosing) ?? reading.commands.flatMap(variablesIn).find(choosing);
  if (chosen !== undefined) return `${chosen.text.split('=', 1)[0]} names a program that others start.`;
  const all = [...reading.commands, ...reading.inner];
  for (const { words } of all) {
    const reason = runsUnreadText(words);
    if (reason !== undefined) return reason;
  }
  return all.some(({ words }) => setsProgramVariable(words)) ? 'A variable names a program.' : runsMadeFile(reading);
}

const choosing = ({ text, certainty }: ShellWord): boolean => choosesProgram(text, certainty === 'fixed');

function variablesIn({ words: [program, ...args] }: ShellCommand): readonly ShellWord[] {
  const isSetter = LAUNCHERS.has(baseName(program?.text ?? '')) || EVALUATING.has(program?.text ?? '');
  return isSetter ? args.filter(({ text }) => /^\w+\+?=/.test(text)) : [];
}

function setsProgramVariable([program, ...args]: readonly ShellWord[]): boolean {
  if (program === undefined || !/^(?:read|mapfile|readarray|printf|getopts|declare|typeset|local)$/.test(program.text))
    return false;
  return args.some(
    ({ text }) =>
      isProgramVariable(text) ||
      (/^-\w*n/.test(text) &&
        program.text !== 'read' &&
        program.text !== 'mapfile' &&
        program.text !== 'readarray' &&
        program.text !== 'printf'),
  );
}

const named = (names: string): ReadonlySet<string> => new Set(names.split(' '));
const MAKERS = named('cp mv ln install dd tee');
/** Write files that their options, operands or code name. */
const WRITERS = named(
  'sed awk sort shuf iconv tree curl wget rsync scp find objcopy strip xxd uniq split csplit patch gpg ' +
    'openssl script logsave git',
);
const MAKER_OF_PROGRAMS =
  /^(?:(?:[\w.-]+-)?(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|tcc|ld|as)(?:-\d+)?|rustc|ghc|fpc|nim|zig|ocamlc)$/;
/** Take no code from files, neither as plugins nor as configuration. */
const CHECKERS = named('tsc biome ruff black isort pyright gofmt shellcheck shfmt clang-format');
/** Starts the named program. `python -m` and `uv run` are missing: they may run other files of the folder first. */
const CHECKER_LAUNCH = /^(?:npx(?: -y| --yes| --no| --no-install)?|pnpm exec) ([\w-]+)(?: |$)/;
/** Files that programs run or that decide what they run. */
const CODE_FILE =
  /\.(?:[cm]?[jt]sx?|pyi?|pth|sh|bash|zsh|fish|pl|pm|rb|php|lua|go|rs|cc?|cpp|cxx|hh?|hpp|inc|s|java|kts?|swift|scala|groovy|gradle|mk|mak|cmake|toml|ini|cfg|conf|awk|sed|sql|vim|el|tcl|exs?|erl|hs|ml|r|jl|nix|bzl|so|ps1|bat|cmd|service|desktop|code-workspace)$/i;
const BUILD_FILE =
  /^(?:(?:gnu)?makefile|\.?justfile|package\.json|composer\.json|(?:docker|container|vagrant|jenkins|proc|rake|gem|brew|tilt|earth)file|build|workspace|taskfile\.ya?ml|(?:docker-)?compose[\w.-]*\.ya?ml|pom\.xml|build\.xml|\.[\w-]*rc(?:\.\w+)?|pre-commit|lefthook\.ya?ml|\.pre-commit-config\.ya?ml|\.mocharc.*|hosts|inventory)$/i;
const GIT_FILE =
  /(?:^|\/)(?:\.git|\.husky)\/|(?:^|\/)(?:\.gitattributes|\.gitconfig|\.gitmodules|\.?lefthook\.ya?ml|\.pre-commit-config\.ya?ml)$/i;

/** A program, script or link that the same command writes and then runs. */
function runsMadeFile({ commands, inner, files, innerFiles }: ShellReading): string | undefined {
  const written = [...files, ...innerFiles].filter(({ access }) => access === 'write');
  const all = [...commands, ...inner];
  const paths = written.map(({ shown }) => shown).filter((path) => path !== '' && path !== '/dev/null');
  const made = new Set(paths.map(baseName));
  let isAny = false;
  for (const { words } of all) {
    const [program, ...args] = words;
    if (!MAKERS.has(baseName(program?.text ?? ''))) continue;
    for (const { text, certainty } of args) {
      if (certainty === 'open' || certainty === 'variable') isAny = true;
      if (!text.startsWith('-') || text.includes('=')) paths.push(text.replace(/\/+$/, '').replace(/^\w+=/, ''));
    }
  }
  for (const name of all.flatMap(namesWritten)) made.add(name);
  const isMade = ({ text, certainty }: ShellWord): boolean =>
    made.has(baseName(text)) || (isAny && certainty !== 'fixed') || (isAny && text.startsWith('./'));
  for (const path of paths) made.add(baseName(path));
  const compiles = all.some((command) => compilesText(command, made));
  if (made.size === 0 && !compiles) return undefined;
  for (const { words } of all) {
    const [program, ...args] = words;
    if (program === undefined) continue;
    const name = baseName(program.text);
    const isScript =
      runsFiles(program.text) || ((name === 'sed' || name === 'awk') && args.some(({ text }) => text.startsWith('-f')));
    const isRun = (program.text.includes('/') || made.has(program.text)) && isMade(program);
    if (
      isRun ||
      (isScript && args.some(isMade)) ||
      (runsCodeOfFiles(words, paths) && paths.some(isCodeFile)) ||
      (name === 'git' && paths.some((path) => GIT_FILE.test(path))) ||
      (compiles && program.text.includes('/') && !program.text.startsWith('/'))
    ) {
      return `${name} runs a file that this command writes.`;
    }
  }
  return undefined;
}

function namesWritten({ words: [program, ...args], readOnlyFiles }: ShellCommand): readonly string[] {
  const name = carrierName(program?.text ?? '');
  if (!WRITERS.has(name) || readOnlyFiles !== undefined) return [];
  const given = args.map(({ text }) => text);
  if (name === 'find' && !given.some((text) => /^-f(?:print|ls)/.test(text))) return [];
  const texts = given.filter((text) => name !== 'git' || text.startsWith('--o'));
  return texts
    .flatMap((text) => [text, ...attachedValues(text), ...text.split(/[\s"';=]+/)])
    .map(baseName)
    .filter((file) => file !== '');
}

function isCodeFile(path: string): boolean {
  return (
    CODE_FILE.test(path) || BUILD_FILE.test(baseName(path)) || /(?:^|\/)(?:\.git|\.husky|bin|node_modules)\//.test(path)
  );
}

function runsCodeOfFiles(words: readonly ShellWord[], paths: readonly string[]): boolean {
  const [program, ...args] = words;
  const name = baseName(program?.text ?? '');
  if (program?.certainty !== 'fixed' || name === 'git' || CHECKERS.has(name)) return false;
  if (launchesChecker(words) && !paths.some(changesLaunch)) return false;
  if (args.length > 0 && args.every(({ text }) => HELP.test(text))) return false;
  return !PLAIN_PROGRAMS.has(name) && !SELF_CONTAINED.has(name) && !EVALUATING.has(name) && !LAUNCHERS.has(name);
}

function launchesChecker(words: readonly ShellWord[]): boolean {
  const start = words.slice(0, 3);
  const [, checker = ''] = CHECKER_LAUNCH.exec(start.map(({ text }) => text).join(' ')) ?? [];
  return CHECKERS.has(checker) && start.every(({ certainty }) => certainty === 'fixed');
}

/** Settings of package managers and installed packages. */
function changesLaunch(path: string): boolean {
  return BUILD_FILE.test(baseName(path)) || /(?:^|\/)node_modules(?:\/|$)/.test(path);
}

/** A compiler that reads its input or a file that the same command writes. */
function compilesText({ words: [program, ...args] }: ShellCommand, made: ReadonlySet<string>): boolean {
  if (!MAKER_OF_PROGRAMS.test(baseName(program?.text ?? ''))) return false;
  return args.some(({ text }) => text === '-' || text.startsWith('/dev/') || made.has(baseName(text)));
}
