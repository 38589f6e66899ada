/** Which options of a program do nothing but look, and what its operands are. */
export interface ArgumentGrammar {
  /** Letters of short options without a value. */
  readonly flags: string;
  /** Letters of short options with a value. */
  readonly valued: string;
  /** Long options without a value, or with an optional one behind `=`. */
  readonly longFlags: ReadonlySet<string>;
  /** Long options with a value. */
  readonly longValued: ReadonlySet<string>;
  /** Whether `-5` is an option. */
  readonly takesNumber: boolean;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' ').filter((word) => word !== ''));

/** `grammar('lah --all', 'n --lines')`; a `#` among the flags lets `-5` through. */
export function grammar(flags: string, valued = ''): ArgumentGrammar {
  const split = (text: string): { letters: string; long: ReadonlySet<string> } => {
    const all = [...words(text)];
    return {
      letters: all.filter((word) => !word.startsWith('--')).join(''),
      long: new Set(all.filter((word) => word.startsWith('--'))),
    };
  };
  const plain = split(flags);
  const withValue = split(valued);
  return {
    flags: plain.letters,
    valued: withValue.letters,
    longFlags: plain.long,
    longValued: withValue.long,
    takesNumber: plain.letters.includes('#'),
  };
}

/** Arguments taken apart. */
export interface ReadArguments {
  readonly operands: readonly string[];
  readonly options: ReadonlySet<string>;
}

/** Takes arguments apart; undefined for an option that is not listed. Abbreviated long options are not listed (S12). */
export function readArguments(args: readonly string[], syntax: ArgumentGrammar): ReadArguments | undefined {
  const operands: string[] = [];
  const options = new Set<string>();
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? '';
    if (word === '--') return { operands: [...operands, ...args.slice(index + 1)], options };
    if (!word.startsWith('-') || word === '-') {
      operands.push(word);
      continue;
    }
    const option = readOption(word, syntax);
    if (option === undefined) return undefined;
    for (const name of option.names) options.add(name);
    if (option.wantsValue) index += 1;
  }
  return { operands, options };
}

interface ReadOption {
  readonly names: readonly string[];
  readonly wantsValue: boolean;
}

function readOption(word: string, syntax: ArgumentGrammar): ReadOption | undefined {
  if (word.startsWith('--')) {
    const [name = '', value] = word.split('=', 2);
    if (syntax.longFlags.has(name)) return { names: [name], wantsValue: false };
    return syntax.longValued.has(name) ? { names: [name], wantsValue: value === undefined } : undefined;
  }
  if (syntax.takesNumber && /^-\d+$/.test(word)) return { names: [word], wantsValue: false };
  const names: string[] = [];
  for (let index = 1; index < word.length; index += 1) {
    const letter = word[index] ?? '';
    if (letter === '#') return undefined;
    names.push(`-${letter}`);
    if (syntax.valued.includes(letter)) return { names, wantsValue: index === word.length - 1 };
    if (!syntax.flags.includes(letter)) return undefined;
  }
  return { names, wantsValue: false };
}
