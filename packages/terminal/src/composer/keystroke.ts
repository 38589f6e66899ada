import type { Key } from 'ink';

/** Text to insert, or a key name such as `ctrl+a`, `alt+left` or `enter`. */
export type Keystroke =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'key'; readonly name: string };

const NAMED = {
  upArrow: 'up',
  downArrow: 'down',
  leftArrow: 'left',
  rightArrow: 'right',
  pageDown: 'pagedown',
  pageUp: 'pageup',
  home: 'home',
  end: 'end',
  return: 'enter',
  escape: 'escape',
  tab: 'tab',
  backspace: 'backspace',
  delete: 'delete',
} as const satisfies Partial<Record<keyof Key, string>>;

const CONTROL_KEYS: ReadonlyMap<string, string> = new Map([
  ['\r', 'enter'],
  ['\n', 'ctrl+j'],
  ['\t', 'tab'],
  ['\u001b', 'escape'],
  ['\u007f', 'backspace'],
  ['\b', 'backspace'],
]);

/** One input event may hold several keys. */
export function toKeystrokes(input: string, key: Key): readonly Keystroke[] {
  if (key.eventType === 'release' || key.super || key.hyper) return [];
  const named = Object.entries(NAMED).find(([member]) => key[member as keyof typeof NAMED])?.[1];
  if (named !== undefined) return [toKey(named, key)];
  if (input === '') return [];
  if (key.ctrl || key.meta) return [toKey(input.toLowerCase(), { ...key, shift: key.shift && key.ctrl })];
  return fromCharacters(input);
}

function toKey(name: string, { ctrl, meta, shift }: Pick<Key, 'ctrl' | 'meta' | 'shift'>): Keystroke {
  return { kind: 'key', name: `${ctrl ? 'ctrl+' : ''}${meta ? 'alt+' : ''}${shift ? 'shift+' : ''}${name}` };
}

/** A trailing line end or tab is a key; within the text it is part of a paste and must not send the prompt. */
function fromCharacters(input: string): Keystroke[] {
  const keys: Keystroke[] = [];
  const hasLines = /[\r\n](?!\n?$)/.test(input);
  const [, body = '', ending = ''] = hasLines ? [input, input] : (/^([^]*?)(\r\n|\r|\n|\t)?$/.exec(input) ?? []);
  for (const piece of body.split(/([^\P{Cc}\r\n\t])/u)) {
    if (piece === '') continue;
    const isControl = /^[^\P{Cc}\r\n\t]$/u.test(piece);
    keys.push(isControl ? fromControl(piece) : { kind: 'text', text: piece });
  }
  if (ending !== '') keys.push(fromControl(ending === '\r\n' ? '\r' : ending));
  return keys;
}

function fromControl(character: string): Keystroke {
  const name = CONTROL_KEYS.get(character);
  if (name !== undefined) return { kind: 'key', name };
  const code = character.charCodeAt(0);
  return { kind: 'key', name: `ctrl+${String.fromCharCode(code + (code <= 26 ? 96 : 64)).toLowerCase()}` };
}
