/** Longer clusters of letters hold no value that is worth a try. */
const MAX_LETTERS = 8;

/** What may be the value of an option in the same word: `-Srm` has `rm` and `m`, `--use=x` has `x`. */
export function attachedValues(word: string): string[] {
  const long = /^--[\w-]+=(.+)$/s.exec(word)?.[1];
  if (long !== undefined) return [long];
  const letters = /^-([A-Za-z0-9]+)/.exec(word)?.[1] ?? '';
  return Array.from({ length: Math.min(letters.length, MAX_LETTERS) }, (_, index) => word.slice(index + 2)).filter(
    (value) => value !== '',
  );
}

export interface OptionTable {
  /** Letters of options that take a value, which is the rest of the word or the next one. */
  readonly valued?: string;
  readonly longValued?: readonly string[];
}

export interface ScannedWord {
  readonly kind: 'letter' | 'long' | 'operand';
  /** A letter, a long name without dashes, or the operand. */
  readonly name: string;
  readonly value: string | undefined;
  readonly index: number;
}

/** The options and operands of a command, read as getopt does; `--` ends the options. */
export function scanOptions(args: readonly string[], { valued = '', longValued = [] }: OptionTable): ScannedWord[] {
  const found: ScannedWord[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? '';
    if (word === '--') {
      const rest = args.slice(index + 1);
      const operand = (name: string, at: number) =>
        ({ kind: 'operand', name, value: undefined, index: index + 1 + at }) as const;
      return [...found, ...rest.map(operand)];
    }
    if (word.startsWith('--')) {
      const [name = '', ...values] = word.slice(2).split('=');
      const wants = values.length === 0 && longValued.some((full) => isAbbreviation(name, full));
      found.push({ kind: 'long', name, value: wants ? args[index + 1] : values.join('='), index });
      if (wants) index += 1;
      continue;
    }
    if (!word.startsWith('-') || word === '-') {
      found.push({ kind: 'operand', name: word, value: undefined, index });
      continue;
    }
    const at = index;
    for (let letter = 1; letter < word.length; letter += 1) {
      const name = word[letter] ?? '';
      if (!valued.includes(name)) {
        found.push({ kind: 'letter', name, value: undefined, index: at });
        continue;
      }
      const rest = word.slice(letter + 1);
      found.push({ kind: 'letter', name, value: rest === '' ? args[at + 1] : rest, index: at });
      if (rest === '') index += 1;
      break;
    }
  }
  return found;
}

/** Programs accept every beginning of a long option that fits one only. */
export function isAbbreviation(name: string, full: string): boolean {
  return name !== '' && full.startsWith(name);
}

const NPM_PROGRAMS = 'script-shell shell node-options globalconfig userconfig call editor browser viewer git'.split(
  ' ',
);
const NPM_FOLDERS = 'prefix local-prefix cwd dir cache logs-dir pack-destination'.split(' ');
const WHOLE_NPM_OPTION = /^(?:global|cache-\w+|git-\w+)$/;

/** A package manager takes the value for a program, or for settings that name one. */
export function namesNpmProgram(word: string): boolean {
  return isNpmOption(word, NPM_PROGRAMS);
}

export function namesNpmFolder(word: string): boolean {
  return /^-C./s.test(word) || word === '-C' || isNpmOption(word, NPM_FOLDERS);
}

/** npm accepts any number of dashes and the beginning of a name; pnpm also `--config.name`. */
function isNpmOption(word: string, options: readonly string[]): boolean {
  const name = /^-+(?:config\.)?([a-z][a-z-]+)(?:=|$)/i.exec(word)?.[1]?.toLowerCase() ?? '';
  if (name.length < 3 || WHOLE_NPM_OPTION.test(name)) return false;
  return options.some((full) => isAbbreviation(name, full));
}
