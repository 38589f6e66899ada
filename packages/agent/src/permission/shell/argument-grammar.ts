export interface ArgumentGrammar {
  readonly flags: string;
  readonly valued: string;
  /** The value, if any, follows `=`. */
  readonly longFlags: ReadonlySet<string>;
  readonly longValued: ReadonlySet<string>;
  readonly takesNumber: boolean;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' ').filter((word) => word !== ''));

/** `grammar('lah --all', 'nU? --lines')`; `#` among the flags accepts `-5`, and the value of `U?` is part of the word. */
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

export interface ReadArguments {
  readonly operands: readonly string[];
  readonly options: ReadonlySet<string>;
}

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
    if (!option.wantsValue) continue;
    index += 1;
    // A program that takes no such value would read it as an option, as `git log --format --output=x` does.
    const isPattern = /^(?:-e|--regexp)$/.test(option.names.at(-1) ?? '');
    if (!isPattern && /^-[^\d]/.test(args[index] ?? '')) return undefined;
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
    if (letter === '#' || letter === '?') return undefined;
    names.push(`-${letter}`);
    if (syntax.valued.includes(letter)) {
      return { names, wantsValue: index === word.length - 1 && !syntax.valued.includes(`${letter}?`) };
    }
    if (!syntax.flags.includes(letter)) return undefined;
  }
  return { names, wantsValue: false };
}
