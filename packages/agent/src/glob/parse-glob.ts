export type GlobNode =
  | { readonly type: 'text'; readonly text: string }
  /** `?` */
  | { readonly type: 'any' }
  /** `[a-z]`: one character that `has` accepts, or the brackets as `text`. */
  | { readonly type: 'set'; readonly has: (character: string) => boolean; readonly text: string }
  /** `*` */
  | { readonly type: 'star' }
  /** `**` and a slash: any number of whole folders. */
  | { readonly type: 'folders' }
  /** A slash and `**` at the end: nothing, or a slash and everything after it. */
  | { readonly type: 'below' }
  /** `**` alone. */
  | { readonly type: 'all' }
  | GlobGroup;

/** `{a,b}` is `@`. `hasSlash`: whether a choice can match a slash. */
export interface GlobGroup {
  readonly type: 'group';
  readonly kind: '@' | '?' | '*' | '+' | '!';
  readonly choices: readonly GlobNodes[];
  readonly hasSlash: boolean;
}

export type GlobNodes = readonly GlobNode[];

const CHARACTER_CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  digit: /\d/,
  lower: /[a-z]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /\s/,
  upper: /[A-Z]/,
  word: /\w/,
  xdigit: /[A-Fa-f0-9]/,
};

/** A longer range is text. */
const MAX_RANGE = 1000;

/** Unclosed brackets are text. */
export function parseGlob(pattern: string): GlobNodes {
  return new GlobParser(pattern).parse();
}

/** A range such as `{1..5000}` that would be text; undefined if there is none. */
export function unsupportedRange(pattern: string): string | undefined {
  const ranges = pattern.matchAll(/(?<!\\)\{([^{}/,]*\.\.[^{}/,]*)\}/g);
  return [...ranges].find(([, inside = '']) => parseRange(inside) === undefined)?.[0];
}

class GlobParser {
  readonly #pattern: string;
  readonly #closers: ReadonlyMap<number, number>;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
    this.#closers = findClosers(pattern);
  }

  parse(): GlobNodes {
    return this.#sequence(this.#pattern.length, '');
  }

  #sequence(end: number, separator: string): GlobNodes {
    const nodes: GlobNode[] = [];
    const start = this.#at;
    const isEnd = (at: number) => at >= end || this.#pattern[at] === separator;
    let text = '';
    while (!isEnd(this.#at)) {
      const isLevelStart = this.#at === start || this.#pattern[this.#at - 1] === '/';
      const node = this.#globstar(isLevelStart, isEnd) ?? this.#wildcard();
      if (node === undefined) {
        text += this.#character(end);
        continue;
      }
      if (text !== '') nodes.push({ type: 'text', text });
      text = '';
      nodes.push(node);
    }
    if (text !== '') nodes.push({ type: 'text', text });
    return nodes;
  }

  #globstar(isLevelStart: boolean, isEnd: (at: number) => boolean): GlobNode | undefined {
    const at = this.#at;
    if (this.#pattern.startsWith('/**', at) && isEnd(at + 3)) return this.#take('/**', { type: 'below' });
    if (!isLevelStart || !this.#pattern.startsWith('**', at)) return undefined;
    if (isEnd(at + 2)) return this.#take('**', { type: 'all' });
    return this.#pattern[at + 2] === '/' ? this.#take('**/', { type: 'folders' }) : undefined;
  }

  #wildcard(): GlobNode | undefined {
    const at = this.#at;
    const close = this.#closers.get(at);
    if (close !== undefined) return this.#pattern[at] === '[' ? this.#set(close) : this.#group(close);
    if (this.#pattern[at] === '?') return this.#take('?', { type: 'any' });
    return this.#pattern[at] === '*' ? this.#take('*', { type: 'star' }) : undefined;
  }

  #character(end: number): string {
    if (this.#pattern[this.#at] === '\\' && this.#at + 1 < end) this.#at += 1;
    const character = this.#pattern[this.#at] ?? '';
    this.#at += 1;
    return character;
  }

  #take(text: string, node: GlobNode): GlobNode {
    this.#at += text.length;
    return node;
  }

  #set(close: number): GlobNode {
    const text = this.#pattern.slice(this.#at, close + 1);
    const node: GlobNode = { type: 'set', has: parseSet(text.slice(1, -1)), text: text.replaceAll(/\\(.)/gs, '$1') };
    return this.#take(text, node);
  }

  #group(close: number): GlobNode {
    const open = this.#at;
    const sign = this.#pattern[open];
    const isBrace = sign === '{';
    const range = isBrace ? parseRange(this.#pattern.slice(open + 1, close)) : undefined;
    this.#at = isBrace ? open : open + 1;
    const choices = range?.map((text): GlobNodes => [{ type: 'text', text }]) ?? this.#choices(isBrace, close);
    this.#at = close + 1;
    const kind = sign === '?' || sign === '*' || sign === '+' || sign === '!' ? sign : '@';
    return { type: 'group', kind, choices, hasSlash: choices.some(hasSlash) };
  }

  #choices(isBrace: boolean, close: number): GlobNodes[] {
    const choices: GlobNodes[] = [];
    while (this.#at < close) {
      this.#at += 1;
      choices.push(this.#sequence(close, isBrace ? ',' : '|'));
    }
    return choices;
  }
}

interface OpenBracket {
  readonly at: number;
  readonly closer: ')' | '}';
  /** Braces need a comma or a range to be a group. */
  isGroup: boolean;
}

/** One pass, so that brackets that are never closed cost no second look. */
function findClosers(pattern: string): ReadonlyMap<number, number> {
  const closers = new Map<number, number>();
  const open: OpenBracket[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '\\') {
      at += 1;
    } else if (character === '[') {
      const close = endOfSet(pattern, at);
      if (close !== undefined) closers.set(at, close);
      at = close ?? at;
    } else if (character === '{') {
      open.push({ at, closer: '}', isGroup: false });
    } else if (pattern[at + 1] === '(' && /[@?*+!]/.test(character ?? '')) {
      open.push({ at, closer: ')', isGroup: true });
      at += 1;
    } else if (character === ',') {
      const innermost = open.at(-1);
      if (innermost !== undefined) innermost.isGroup = true;
    } else if (character === ')' || character === '}') {
      const index = open.findLastIndex(({ closer }) => closer === character);
      const bracket = open[index];
      if (bracket === undefined) continue;
      open.length = index;
      const isRange = character === '}' && parseRange(pattern.slice(bracket.at + 1, at)) !== undefined;
      if (bracket.isGroup || isRange) closers.set(bracket.at, at);
    }
  }
  return closers;
}

function endOfSet(pattern: string, open: number): number | undefined {
  const isNegated = pattern[open + 1] === '!' || pattern[open + 1] === '^';
  const first = open + (isNegated ? 2 : 1);
  for (let at = first; at < pattern.length; at += 1) {
    if (pattern[at] === ']' && at > first) return at;
    if (pattern[at] === '\\') at += 1;
    if (pattern[at] === '[') at += classAt(pattern, at).length;
  }
  return undefined;
}

/** `[:alpha:]` without its last character; empty elsewhere. */
function classAt(text: string, at: number): string {
  return /^\[:[a-z]+:(?=\])/.exec(text.slice(at, at + 12))?.[0] ?? '';
}

function parseSet(inside: string): (character: string) => boolean {
  const isNegated = inside.startsWith('!') || inside.startsWith('^');
  const classes: RegExp[] = [];
  const members = (isNegated ? inside.slice(1) : inside).replaceAll(/\[:([a-z]+):\]/g, (text, name: string) => {
    const found = Object.hasOwn(CHARACTER_CLASSES, name) ? CHARACTER_CLASSES[name] : undefined;
    if (found !== undefined) classes.push(found);
    return found === undefined ? text : '';
  });
  const ranges = [...members.matchAll(/\\?(.)(?:-\\?(.))?/gsu)].map(([, from = '', to = from]) => [from, to] as const);
  const has = (character: string) =>
    ranges.some(([from, to]) => character >= from && character <= to) || classes.some((one) => one.test(character));
  return (character) => has(character) !== isNegated;
}

function parseRange(inside: string): readonly string[] | undefined {
  const [, from, to] = /^(-?\d{1,6}|[A-Za-z])\.\.(-?\d{1,6}|[A-Za-z])$/.exec(inside) ?? [];
  if (from === undefined || to === undefined) return undefined;
  const isNumeric = /\d/.test(from);
  if (isNumeric !== /\d/.test(to)) return undefined;
  const ends = isNumeric ? [Number(from), Number(to)] : [from.charCodeAt(0), to.charCodeAt(0)];
  const low = Math.min(...ends);
  const count = Math.max(...ends) - low + 1;
  if (count > MAX_RANGE) return undefined;
  const numbers = Array.from({ length: count }, (_, index) => low + index);
  return numbers.map((number) => (isNumeric ? String(number) : String.fromCharCode(number)));
}

function hasSlash(nodes: GlobNodes): boolean {
  return nodes.some((node) => {
    if (node.type === 'text') return node.text.includes('/');
    return node.type === 'group' ? node.hasSlash : ['folders', 'below', 'all'].includes(node.type);
  });
}
