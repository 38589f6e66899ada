import { archiveOperands, mayExpandArchive, tarOperands } from './archive-operands.js';
import { type ArgumentGrammar, grammar, readArguments } from './argument-grammar.js';
import { type Folders, filesIn, isBelow } from './folder-track.js';
import { awkOperands, sedOperands } from './printed-text.js';
import { readsState } from './program-state.js';
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

const FD: ReadOnlyProgram = {
  syntax: grammar(
    'HIagipsuF0 --hidden --no-ignore --absolute-path --glob --ignore-case --case-sensitive --full-path --fixed-strings',
    'etdE --extension --type --max-depth --exclude',
  ),
  operands: 'pattern',
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
  sha512sum: files(grammar('bt')),
  cksum: files(grammar('')),
  join: files(grammar('i', 'tj12aeov'), 2),
  fold: files(grammar('bs', 'w --width')),
  fmt: files(grammar('us', 'w --width')),
  expand: files(grammar('i', 't --tabs')),
  unexpand: files(grammar('a', 't --tabs')),
  column: files(grammar('tx --table', 'sNco --separator --output-separator')),
  base64: files(grammar('di --decode --ignore-garbage', 'w --wrap'), 1),
  od: files(grammar('abcdfiloxsv', 'AtNj')),
  hexdump: files(grammar('Cbcdovx', 'ns')),
  strings: files(grammar('af', 'nt')),
  nm: files(grammar('DCguSnap')),
  readelf: files(grammar('haldSsWrnV')),
  size: files(grammar('AB')),
  xxd: files(grammar('bpieu', 'lscg'), 1),
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  rg: {
    syntax: grammar(
      'niISlcwvxFPNHouUaq. --line-number --no-line-number --ignore-case --smart-case --case-sensitive --hidden ' +
        '--files --type-list --files-with-matches --files-without-match --count --word-regexp --fixed-strings --invert-match ' +
        '--no-heading --heading --no-ignore --multiline --only-matching --json --vimgrep --stats --no-messages ' +
        '--no-filename --with-filename --count-matches --column --trim --null --quiet --pcre2 --no-config',
      'egtTABCmdrMj --regexp --glob --iglob --type --type-not --max-count --context --max-depth --sort --color ' +
        '--after-context --before-context --replace --max-columns --threads',
    ),
    operands: 'pattern',
    patternOption: '-e',
  },
  fd: FD,
  fdfind: FD,
  tr: { syntax: grammar('dscC --delete --squeeze-repeats --complement'), operands: 'text' },
  seq: { syntax: grammar('w', 'sf'), operands: 'text' },
  sleep: { syntax: grammar(''), operands: 'text' },
  pwd: { syntax: grammar('LP'), operands: 'none' },
  true: { syntax: grammar(''), operands: 'text' },
  false: { syntax: grammar(''), operands: 'text' },
  ':': { syntax: grammar(''), operands: 'text' },
  df: files(grammar('ahHikTlP --human-readable --total --inodes')),
  which: { syntax: grammar('a'), operands: 'text' },
  type: { syntax: grammar('atpfP'), operands: 'text' },
  exit: { syntax: grammar('#'), operands: 'text' },
  expr: { syntax: grammar(''), operands: 'text' },
};

const TEST_OPERATOR = /^(?:-[defghnprswxzLS]|=|==|!=|!|-eq|-ne|-lt|-le|-gt|-ge|-nt|-ot|-a|-o)$/;
const FIND_PLAIN = /^-(?:print|print0|not|o|or|a|and|prune|empty|depth|mount|xdev|true|false|ls)$/;
/** With one of these, a file is not always of the type that a test before it requires. */
const FIND_CHOICE = /^(?:-o|-or|-not|[!(),])$/;
const READS_FOUND = new Set('cat head tail wc nl grep egrep fgrep ls stat file md5sum sha1sum sha256sum'.split(' '));
const FIND_VALUED =
  /^-(?:name|iname|path|ipath|wholename|regex|iregex|type|maxdepth|mindepth|size|mtime|mmin|atime|ctime|perm|user|group|printf|newer[aBcm]t)$/;

export interface ReadOnlyFiles {
  readonly files: readonly string[];
  /** File name patterns, which the shell expands. */
  readonly patterns: readonly string[];
}

/**
 * The files that a read-only command reads; undefined if it may do more or an expansion decides. Git counts only in
 * the workspace: for its folders, the caller judges the configuration, which may run programs.
 */
export function readOnlyFiles(words: readonly ShellWord[], location: CommandLocation): ReadOnlyFiles | undefined {
  const [program, ...rest] = words;
  if (program === undefined || !program.isBare) return undefined;
  if (program.text === 'echo' || program.text === 'printf') {
    const isPlain = rest.every(({ certainty }) => certainty === 'fixed' || certainty === 'variable');
    return isPlain && (program.text === 'echo' || isPrinting(rest[0])) ? { files: [], patterns: [] } : undefined;
  }
  // A pattern may only be the name of a file, not an option, a count or code.
  const patterns = new Map<string, string>();
  for (const [index, word] of rest.entries()) {
    if (isSettled(word)) continue;
    if (!mayExpand(word, program.text)) return undefined;
    patterns.set(`\0${index}`, word.text);
  }
  const args = rest.map(({ text }, index) => (patterns.has(`\0${index}`) ? `\0${index}` : text));
  const names = operandFiles(program.text, args, location);
  if (names === undefined || ![...patterns.keys()].every((key) => names.includes(key))) return undefined;
  const found = { files: [] as string[], patterns: [] as string[] };
  for (const name of names) {
    const pattern = patterns.get(name);
    const paths = filesIn(location.folders, pattern ?? name);
    if (paths === undefined) return undefined;
    (pattern === undefined ? found.files : found.patterns).push(...paths);
  }
  return found;
}

/** Give a meaning to the number of their operands, or follow links below them. */
const COUNTING = new Set('cd diff test [ unzip uniq join base64 xxd'.split(' '));
/** No option of theirs is harmful, so that names may begin with a pattern, which can match `-x`. */
const WITHOUT_HARMFUL_OPTIONS = new Set('ls du cat head tail wc nl stat md5sum sha1sum sha256sum sha512sum'.split(' '));

function mayExpand({ certainty, text, isBare }: ShellWord, program: string): boolean {
  if (certainty !== 'glob' || !isBare || COUNTING.has(program)) return false;
  if (!mayExpandArchive(program, text)) return false;
  return (
    /^[\w./][\w./@+,%*?-]*$/.test(text) || (WITHOUT_HARMFUL_OPTIONS.has(program) && /^[*?][\w./@+,%*?-]*$/.test(text))
  );
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
      return location.folders?.every((folder) => isBelow(folder, location.workspace)) === true
        ? gitOperands(args)
        : undefined;
    case 'cd':
      return args.length === 1 && !args[0]?.startsWith('-') ? args : undefined;
    case 'find':
      return findOperands(args, location);
    case 'sed':
      return sedOperands(args);
    case 'awk':
      return awkOperands(args);
    case 'test':
      return testOperands(args);
    case '[':
      return args.at(-1) === ']' ? testOperands(args.slice(0, -1)) : undefined;
    case 'date':
      return dateOperands(args);
    case 'jq':
      return jqOperands(args);
    case 'tar':
      return tarOperands(args);
    case 'unzip':
    case 'zcat':
    case 'gunzip':
    case 'gzip':
    case 'xz':
      return archiveOperands(program, args);
    case 'command':
      return args.length > 1 && /^-[vV]$/.test(args[0] ?? '') && !args[1]?.startsWith('-') ? [] : undefined;
    case 'strings':
    case 'nm':
    case 'readelf':
    case 'size':
      // It reads options from such a file.
      if (args.some((word) => word.startsWith('@'))) return undefined;
      break;
    case 'xxd':
      // It has no clusters of options, and writes the file whose name follows that of the input.
      if (args.some((word) => word.startsWith('-') && !/^-(?:[bpieu]|[lscg]\d*)$/.test(word))) return undefined;
      if (args.at(-1)?.startsWith('-') === true) return undefined;
      break;
    case 'tree':
      // It reads the letters after an option with a value as options, too.
      if (args.some((word) => /^-\w*(?:[IP].|L(?!\d*$))/s.test(word))) return undefined;
      break;
  }
  if (readsState(program, args)) return [];
  const looking = Object.hasOwn(PROGRAMS, program) ? PROGRAMS[program] : undefined;
  if (looking !== undefined && args.length === 1 && /^--(?:help|version)$/.test(args[0] ?? '')) return [];
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

function findOperands(args: readonly string[], location: CommandLocation): readonly string[] | undefined {
  const first = args.findIndex((word) => /^[-(!]/.test(word));
  const expression = first < 0 ? [] : args.slice(first);
  const compared: string[] = [];
  let isFile = false;
  for (let index = 0; index < expression.length; index += 1) {
    const word = expression[index] ?? '';
    if (word === '-exec') {
      const end = expression.findIndex((part, at) => at > index && (part === ';' || part === '+'));
      const named = isFile ? foundOperands(expression.slice(index + 1, end), location) : undefined;
      if (end < 0 || named === undefined || expression.some((part) => FIND_CHOICE.test(part))) return undefined;
      compared.push(...named);
      index = end;
    } else if (FIND_VALUED.test(word)) {
      index += 1;
      isFile ||= word === '-type' && expression[index] === 'f';
    } else if (word === '-newer' && expression[index + 1] !== undefined) {
      index += 1;
      compared.push(expression[index] ?? '');
    } else if (!FIND_PLAIN.test(word) && !/^[()!]$/.test(word)) return undefined;
  }
  const named = first < 0 ? args : args.slice(0, first);
  return [...(named.length === 0 ? ['.'] : named), ...compared];
}

function foundOperands(words: readonly string[], location: CommandLocation): readonly string[] | undefined {
  const [program = '', ...args] = words;
  if (
    !READS_FOUND.has(program) ||
    args.some((word) => word.startsWith('\0') || (word !== '{}' && word.includes('{}')))
  ) {
    return undefined;
  }
  const read = operandFiles(program, args, location);
  return read?.includes('{}') === true ? read.filter((name) => name !== '{}') : undefined;
}

/** `-d` takes a time; `-s` would set the clock, and `-f` read a file. */
function dateOperands(args: readonly string[]): readonly string[] | undefined {
  const plain = args.filter((_, index) => !/^(?:-d|--date)$/.test(args[index - 1] ?? ''));
  return plain.every((word) => /^(?:\+.*|-u|--utc|-I|-R|--iso-8601|-d.*|--date(?:=.*)?)$/s.test(word)) ? [] : undefined;
}

function testOperands(args: readonly string[]): readonly string[] | undefined {
  if (args.some((word) => word.startsWith('-') && !TEST_OPERATOR.test(word) && !/^-\d+$/.test(word))) return undefined;
  return args.filter((word) => word !== '' && !TEST_OPERATOR.test(word));
}

function jqOperands(args: readonly string[]): readonly string[] | undefined {
  const plain: string[] = [];
  const end = args.indexOf('--');
  for (let at = 0; at < args.length; at += 1) {
    if (/^--arg(?:json)?$/.test(args[at] ?? '') && (end < 0 || at < end)) at += 2;
    else plain.push(args[at] ?? '');
  }
  const read = readArguments(
    plain,
    grammar('rcesSnMCaj --raw-output --compact-output --slurp --sort-keys --exit-status --tab'),
  );
  const [filter = '', ...named] = read?.operands ?? [];
  // Modules are files, and `env` and `input_filename` expose more than the input.
  return read === undefined || /import|include|env|ENV|input_filename|modulemeta/.test(filter) ? undefined : named;
}
