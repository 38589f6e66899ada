import { type FoundIssue, KEY_ACTIONS, type KeyAction, type KeySettings } from '@qwen/protocol';

/** Act only in a certain situation and otherwise leave the key to another action. */
export const SITUATIONAL: ReadonlySet<KeyAction> = new Set(['sendLater', 'background', 'quit', 'rewind']);
/** Act at once, also while a question or a dialog is open. */
const GLOBAL: ReadonlySet<KeyAction> = new Set(['changeMode', 'showFull', 'redraw', 'suspend']);

const MODIFIERS: ReadonlyMap<string, 'ctrl' | 'alt' | 'shift'> = new Map([
  ['ctrl', 'ctrl'],
  ['control', 'ctrl'],
  ['alt', 'alt'],
  ['option', 'alt'],
  ['meta', 'alt'],
  ['shift', 'shift'],
]);
const NAMED = new Set('up down left right home end pageup pagedown tab backspace delete enter escape'.split(' '));
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['return', 'enter'],
  ['esc', 'escape'],
  ['del', 'delete'],
]);

/** They send, cancel and quit in every state; others send the same bytes. */
const FIXED: ReadonlyMap<string, string> = new Map([
  ['enter', 'Enter'],
  ['ctrl+m', 'Enter'],
  ['escape', 'Escape'],
  ['ctrl+[', 'Escape'],
  ['ctrl+c', 'Ctrl-C'],
  ['ctrl+i', 'Tab'],
]);
const OF_QUESTIONS = /(?:^|\+)(?:up|down|pageup|pagedown|enter|escape|backspace|delete)$|^tab$|^ctrl\+[npuw]$/;

/** The keys as the terminal names them: `Ctrl+X e` is `ctrl+x e`. Undefined: no terminal sends such a key. */
export function parseKeys(text: string): string | undefined {
  const [first = '', second, ...more] = text.trim().toLowerCase().split(/\s+/);
  const key = parseKey(first);
  if (key === undefined || more.length > 0) return undefined;
  if (second === undefined) return key;
  const then = [...second].length === 1 ? second : parseKey(second);
  return then === undefined ? undefined : `${key} ${then}`;
}

function parseKey(text: string): string | undefined {
  const [, before = '', base = ''] = /^((?:[^+]+\+)*)([^+]+|\+)$/.exec(text) ?? [];
  const given = before
    .split('+')
    .slice(0, -1)
    .map((word) => MODIFIERS.get(word));
  const has = (modifier: 'ctrl' | 'alt' | 'shift'): boolean => given.includes(modifier);
  const name = ALIASES.get(base) ?? base;
  const isKnown = NAMED.has(name) || ([...name].length === 1 && name >= '!' && (has('ctrl') || has('alt')));
  // Terminals report Shift with a character only together with Ctrl.
  const isReported = !has('shift') || NAMED.has(name) || has('ctrl');
  if (given.includes(undefined) || new Set(given).size < given.length || !isKnown || !isReported) return undefined;
  return `${has('ctrl') ? 'ctrl+' : ''}${has('alt') ? 'alt+' : ''}${has('shift') ? 'shift+' : ''}${name}`;
}

interface Binding {
  readonly action: KeyAction;
  readonly path: FoundIssue['path'];
  readonly keys: string;
}

/** Keys that cannot be bound, and keys with two actions. */
export function findKeyIssues(settings: KeySettings): readonly FoundIssue[] {
  const issues: FoundIssue[] = [];
  const bound: Binding[] = [];
  for (const { action, path, text } of listKeys(settings)) {
    const keys = parseKeys(text);
    const problem =
      keys === undefined ? unknownKey(text) : (problemOf(keys, action) ?? conflictOf(keys, action, bound));
    if (problem !== undefined) issues.push({ path, problem });
    else if (keys !== undefined) bound.push({ action, path, keys });
  }
  return issues;
}

function listKeys(settings: KeySettings) {
  return KEY_ACTIONS.flatMap((action) => {
    const given = settings[action];
    const path = ['ui', 'keys', action];
    if (typeof given === 'string') return [{ action, path, text: given }];
    return (given ?? []).map((text, index) => ({ action, path: [...path, index], text }));
  });
}

function unknownKey(text: string): string {
  return `${JSON.stringify(text)} is not a key that terminals report. Write it like "ctrl+r", "alt+left" or "ctrl+x ctrl+e"`;
}

function problemOf(keys: string, action: KeyAction): string | undefined {
  const parts = keys.split(' ');
  const fixed = parts.map((key) => FIXED.get(key)).find((key) => key !== undefined);
  if (fixed !== undefined) return `${fixed} has a fixed meaning and cannot be bound`;
  if (!GLOBAL.has(action)) return undefined;
  if (parts.length > 1) return `${action} also works while a question is open and needs a single key`;
  return OF_QUESTIONS.test(keys) ? `"${keys}" is used to answer questions and cannot be bound to ${action}` : undefined;
}

function conflictOf(keys: string, action: KeyAction, bound: readonly Binding[]): string | undefined {
  const collides = (other: string): boolean =>
    other === keys || other.startsWith(`${keys} `) || keys.startsWith(`${other} `);
  const other = bound.find(
    (one) => one.action !== action && collides(one.keys) && SITUATIONAL.has(one.action) === SITUATIONAL.has(action),
  );
  return other === undefined ? undefined : `"${keys}" conflicts with "${other.keys}" of ${other.path.join('.')}`;
}
