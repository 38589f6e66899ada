import { type ArgumentGrammar, grammar, readArguments } from './argument-grammar.js';
import { type Folders, filesIn } from './folder-track.js';
import { gitOperands } from './read-only-git.js';
import type { ShellWord } from './shell-reading.js';

interface ReadOnlyProgram {
  readonly syntax: ArgumentGrammar;
  readonly operands: 'files' | 'text' | 'pattern' | 'none';
  readonly most?: number;
  readonly patternOption?: string;
}

const files = (syntax: ArgumentGrammar, most?: number): ReadOnlyProgram => ({
  syntax,
  operands: 'files',
  ...(most !== undefined && { most }),
});

const GREP: ReadOnlyProgram = {
  syntax: grammar(
    'nirlLcwvxEFPGhHosqaIzbT# --line-number --ignore-case --recursive --files-with-matches --files-without-match ' +
      '--count --word-regexp --line-regexp --invert-match --extended-regexp --fixed-strings --perl-regexp ' +
      '--no-filename --with-filename --only-matching --no-messages --quiet --color --colour --text --null',
    'eABCm --include --exclude --exclude-dir --max-count --context --after-context --before-context --regexp',
  ),
  operands: 'pattern',
  patternOption: '-e',
};

/** Anything that is not listed is not read-only. */
const PROGRAMS: Readonly<Record<string, ReadOnlyProgram>> = {
  ls: files(
    grammar(
      'lahAtrRSdF1ipsknQoguGXUcxm --all --almost-all --human-readable --recursive --reverse --directory --classify ' +
        '--color --full-time --group-directories-first --inode --size',
      '--sort --time --ignore --time-style',
    ),
  ),
  cat: files(grammar('nbsAeEtTuv --number --show-all --show-ends --show-tabs --squeeze-blank')),
  head: files(grammar('qvz# --quiet --verbose', 'nc --lines --bytes')),
  tail: files(grammar('qvz# --quiet --verbose', 'nc --lines --bytes')),
  wc: files(grammar('lwcmL --lines --words --bytes --chars --max-line-length')),
  nl: files(grammar('', 'bnwsvi')),
  tac: files(grammar('')),
  rev: files(grammar('')),
  cut: files(grammar('sz --only-delimited --complement', 'dfcb --delimiter --fields --characters --output-delimiter')),
  paste: files(grammar('sz', 'd')),
  uniq: files(grammar('cdui --count --repeated --unique --ignore-case', 'fsw'), 1),
  sort: files(
    grammar('nrufhVbdgMcsz --numeric-sort --reverse --unique --human-numeric-sort --version-sort', 'kt --key'),
  ),
  comm: files(grammar('123')),
  diff: files(
    grammar('urNqybBwaitscpE --unified --recursive --brief --side-by-side --new-file --ignore-all-space --color', 'UC'),
  ),
  cmp: files(grammar('sbl --silent --quiet')),
  stat: files(grammar('Lt --dereference --terse', 'c --format --printf')),
  file: files(grammar('biLh --brief --mime --mime-type')),
  du: files(
    grammar('shackmdxS# --summarize --human-readable --all --total --apparent-size', 'd --max-depth --exclude'),
  ),
  tree: files(grammar('adfFphsDrtCni --dirsfirst --noreport --gitignore', 'LIP')),
  basename: { syntax: grammar('az', 's'), operands: 'text' },
  dirname: { syntax: grammar('z'), operands: 'text' },
  realpath: files(grammar('esmLPz')),
  readlink: files(grammar('fenmz')),
  md5sum: files(grammar('bt')),
  sha1sum: files(grammar('bt')),
  sha256sum: files(grammar('bt')),
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  rg: {
    syntax: grammar(
      'niISlcwvxFPNHouUaq. --line-number --no-line-number --ignore-case --smart-case --case-sensitive --hidden ' +
        '--files --files-with-matches --files-without-match --count --word-regexp --fixed-strings --invert-match ' +
        '--no-heading --heading --no-ignore --multiline --only-matching --json --vimgrep --stats --no-messages',
      'egtTABCmd --regexp --glob --iglob --type --type-not --max-count --context --max-depth --sort --color',
    ),
    operands: 'pattern',
    patternOption: '-e',
  },
  tr: { syntax: grammar('dscC --delete --squeeze-repeats --complement'), operands: 'text' },
  seq: { syntax: grammar('w', 's'), operands: 'text' },
  sleep: { syntax: grammar(''), operands: 'text' },
  pwd: { syntax: grammar('LP'), operands: 'none' },
  true: { syntax: grammar(''), operands: 'text' },
  false: { syntax: grammar(''), operands: 'text' },
  ':': { syntax: grammar(''), operands: 'text' },
  whoami: { syntax: grammar(''), operands: 'none' },
  hostname: { syntax: grammar(''), operands: 'none' },
  nproc: { syntax: grammar('--all'), operands: 'none' },
  id: { syntax: grammar('ugnrG'), operands: 'text' },
  uname: { syntax: grammar('asnrvmpio'), operands: 'none' },
  which: { syntax: grammar('a'), operands: 'text' },
  type: { syntax: grammar('atpfP'), operands: 'text' },
  exit: { syntax: grammar('#'), operands: 'text' },
};

/** `--version` runs nothing of the project. */
const VERSION_PROGRAMS = new Set('node npm git python python3 gcc make bash uname'.split(' '));
const TEST_OPERATOR = /^(?:-[defghnprswxzLS]|=|==|!=|!|-eq|-ne|-lt|-le|-gt|-ge|-nt|-ot|-a|-o)$/;
const FIND_PLAIN = /^-(?:print|print0|not|o|or|a|and|prune|empty|depth|mount|xdev|true|false|ls)$/;
const FIND_VALUED =
  /^-(?:name|iname|path|ipath|wholename|regex|iregex|type|maxdepth|mindepth|size|mtime|mmin|atime|ctime|perm|user|group)$/;
const SED_PRINTS = /^(?:\d+|\$)(?:,(?:\d+|\+\d+|\$))?p$/;
const AWK_PRINTS = /^\{ ?print(?: ?\$(?:\d+|NF)(?:, ?\$(?:\d+|NF))*)? ?\}$/;

/**
 * The files that a read-only command reads; undefined if it may do more or an expansion decides. Git counts only in
 * the workspace folder: configuration elsewhere may run programs.
 */
export function readOnlyFiles(words: readonly ShellWord[], location: CommandLocation): readonly string[] | undefined {
  const [program, ...rest] = words;
  if (program === undefined || !program.isBare) return undefined;
  const args = rest.map(({ text }) => text);
  if (program.text === 'echo' || program.text === 'printf') {
    const isPlain = rest.every(({ certainty }) => certainty === 'fixed' || certainty === 'variable');
    return isPlain && (program.text === 'echo' || isPrinting(rest[0])) ? [] : undefined;
  }
  if (!rest.every(isSettled)) return undefined;
  const names = operandFiles(program.text, args, location);
  if (names === undefined) return undefined;
  const found: string[] = [];
  for (const name of names) {
    const paths = filesIn(location.folders, name);
    if (paths === undefined) return undefined;
    found.push(...paths);
  }
  return found;
}

/** `--include=*.ts` is not expanded to file names. */
function isSettled({ certainty, text }: ShellWord): boolean {
  return certainty === 'fixed' || (certainty === 'glob' && /^--[a-z-]+=/.test(text));
}

export interface CommandLocation {
  readonly folders: Folders;
  readonly workspace: string;
}

/** `-v` and `%n`, also as `%ln`, set a variable, whose subscript may run a command. */
function isPrinting(format: ShellWord | undefined): boolean {
  return (
    format?.certainty === 'fixed' && /^(?!-)(?:[^%]|%%|%[-+ 0#]*\d*(?:\.\d+)?[sdiuxXofgGeEcbq])*$/.test(format.text)
  );
}

function operandFiles(
  program: string,
  args: readonly string[],
  location: CommandLocation,
): readonly string[] | undefined {
  switch (program) {
    case 'git':
      return location.folders?.length === 1 && location.folders[0] === location.workspace
        ? gitOperands(args)
        : undefined;
    case 'cd':
      return args.length === 1 && !args[0]?.startsWith('-') ? args : undefined;
    case 'find':
      return findOperands(args);
    case 'sed':
      return args[0] === '-n' && SED_PRINTS.test(args[1] ?? '') ? filesAfter(args, 2) : undefined;
    case 'awk':
      return awkOperands(args);
    case 'test':
      return testOperands(args);
    case '[':
      return args.at(-1) === ']' ? testOperands(args.slice(0, -1)) : undefined;
    case 'date':
      return args.every((word) => /^(?:\+.*|-u|--utc|-I|-R|--iso-8601)$/s.test(word)) ? [] : undefined;
    case 'jq':
      return jqOperands(args);
    case 'tree':
      // It reads the letters after an option with a value as options, too.
      if (args.some((word) => /^-\w*(?:[IP].|L(?!\d*$))/s.test(word))) return undefined;
      break;
  }
  if (args.length === 1 && args[0] === '--version' && VERSION_PROGRAMS.has(program)) return [];
  if (args.length === 1 && args[0] === '-v' && (program === 'node' || program === 'npm')) return [];
  const looking = Object.hasOwn(PROGRAMS, program) ? PROGRAMS[program] : undefined;
  const read = looking && readArguments(args, looking.syntax);
  return looking === undefined || read === undefined ? undefined : readOnlyOperands(looking, read);
}

function readOnlyOperands(
  { operands: kind, most, patternOption }: ReadOnlyProgram,
  { operands, options }: NonNullable<ReturnType<typeof readArguments>>,
): readonly string[] | undefined {
  if (operands.length > (most ?? Number.POSITIVE_INFINITY)) return undefined;
  if (kind === 'text') return [];
  if (kind === 'none') return operands.length === 0 ? [] : undefined;
  const hasPattern = patternOption !== undefined && (options.has(patternOption) || options.has('--regexp'));
  const named = kind === 'pattern' && !hasPattern && !options.has('--files') ? operands.slice(1) : operands;
  return named.length === 0 ? ['.'] : named.filter((name) => name !== '-');
}

function findOperands(args: readonly string[]): readonly string[] | undefined {
  const first = args.findIndex((word) => /^[-(!]/.test(word));
  const expression = first < 0 ? [] : args.slice(first);
  const compared: string[] = [];
  for (let index = 0; index < expression.length; index += 1) {
    const word = expression[index] ?? '';
    if (FIND_VALUED.test(word)) index += 1;
    else if (word === '-newer' && expression[index + 1] !== undefined) {
      index += 1;
      compared.push(expression[index] ?? '');
    } else if (!FIND_PLAIN.test(word) && !/^[()!]$/.test(word)) return undefined;
  }
  const named = first < 0 ? args : args.slice(0, first);
  return [...(named.length === 0 ? ['.'] : named), ...compared];
}

function filesAfter(args: readonly string[], count: number): readonly string[] | undefined {
  const named = args.slice(count);
  return named.some((name) => name.startsWith('-')) ? undefined : named;
}

function awkOperands(args: readonly string[]): readonly string[] | undefined {
  const skipped = /^-F.$/s.test(args[0] ?? '') ? 1 : 0;
  if (!AWK_PRINTS.test(args[skipped] ?? '')) return undefined;
  const named = filesAfter(args, skipped + 1);
  // awk reads an operand with `=` as an assignment.
  return named?.some((name) => name.includes('=')) === true ? undefined : named;
}

function testOperands(args: readonly string[]): readonly string[] | undefined {
  if (args.some((word) => word.startsWith('-') && !TEST_OPERATOR.test(word) && !/^-\d+$/.test(word))) return undefined;
  return args.filter((word) => word !== '' && !TEST_OPERATOR.test(word));
}

function jqOperands(args: readonly string[]): readonly string[] | undefined {
  const read = readArguments(
    args,
    grammar('rcesSnMCaj --raw-output --compact-output --slurp --sort-keys --exit-status'),
  );
  const [filter = '', ...named] = read?.operands ?? [];
  // Modules are files, and `env` and `input_filename` expose more than the input.
  return read === undefined || /import|include|env|ENV|input_filename|modulemeta/.test(filter) ? undefined : named;
}
