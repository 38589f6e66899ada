import { parseKeys, SITUATIONAL } from '@qwen/host/config/key-bindings.js';
import { KEY_ACTIONS, type KeyAction, type KeySettings } from '@qwen/protocol';

/** As the terminal names keys (`keystroke.ts`). Hints show the first ones. */
const DEFAULT_KEYS: Readonly<Record<KeyAction, readonly string[]>> = {
  sendLater: ['alt+enter'],
  background: ['ctrl+b'],
  quit: ['ctrl+d'],
  rewind: [],
  changeMode: ['shift+tab'],
  showFull: ['ctrl+o'],
  redraw: ['ctrl+l'],
  suspend: ['ctrl+z'],
  // Terminals that cannot report Shift-Enter send one of the others.
  newLine: ['shift+enter', 'ctrl+j', 'alt+enter', 'ctrl+enter'],
  complete: ['tab'],
  previous: ['up', 'ctrl+p'],
  next: ['down', 'ctrl+n'],
  searchHistory: ['ctrl+r'],
  openEditor: ['ctrl+g', 'ctrl+x ctrl+e'],
  pasteImage: ['ctrl+v'],
  left: ['left', 'ctrl+b'],
  right: ['right', 'ctrl+f'],
  wordLeft: ['ctrl+left', 'alt+left', 'alt+b'],
  wordRight: ['ctrl+right', 'alt+right', 'alt+f'],
  lineStart: ['home', 'ctrl+a'],
  lineEnd: ['end', 'ctrl+e'],
  textStart: ['ctrl+home'],
  textEnd: ['ctrl+end'],
  deleteLeft: ['backspace', 'shift+backspace', 'ctrl+h'],
  deleteRight: ['delete', 'shift+delete', 'ctrl+d'],
  deleteToSpace: ['ctrl+w'],
  deleteWordLeft: ['alt+backspace', 'ctrl+backspace'],
  deleteWordRight: ['alt+d', 'alt+delete', 'ctrl+delete'],
  deleteToLineStart: ['ctrl+u'],
  deleteToLineEnd: ['ctrl+k'],
  insertDeleted: ['ctrl+y'],
  swapCharacters: ['ctrl+t'],
  // Most terminals send the same byte for Ctrl-/ and Ctrl-_.
  undo: ['ctrl+_', 'ctrl+/', 'ctrl+shift+-', 'ctrl+shift+_'],
  redo: ['alt+_', 'alt+-', 'ctrl+shift+z'],
};

/** The actions of keys. Bindings of the settings replace the default keys of an action and take keys from others. */
export class KeyMap {
  readonly #keys: ReadonlyMap<KeyAction, readonly string[]>;
  readonly #actions = new Map<string, KeyAction[]>();
  readonly #prefixes = new Set<string>();

  /** The settings are checked: each key can be parsed. */
  constructor(settings: KeySettings = {}) {
    const own = new Map(
      KEY_ACTIONS.flatMap((action) => {
        const given = settings[action];
        return given === undefined ? [] : [[action, [given].flat().flatMap((keys) => parseKeys(keys) ?? [])] as const];
      }),
    );
    const taken = new Set(
      [...own].flatMap(([action, keys]) => (SITUATIONAL.has(action) ? [] : keys.flatMap((key) => [key, firstOf(key)]))),
    );
    const isFree = (key: string): boolean => !taken.has(key) && !taken.has(firstOf(key));
    this.#keys = new Map(KEY_ACTIONS.map((action) => [action, own.get(action) ?? DEFAULT_KEYS[action].filter(isFree)]));
    for (const [action, keys] of this.#keys) {
      for (const key of keys) {
        this.#actions.set(key, [...this.actionsOf(key), action]);
        if (key !== firstOf(key)) this.#prefixes.add(firstOf(key));
      }
    }
  }

  /** In the order in which they get the key. A sequence of two keys has a space: `ctrl+x ctrl+e`. */
  actionsOf(keys: string): readonly KeyAction[] {
    return this.#actions.get(keys) ?? [];
  }

  startsSequence(key: string): boolean {
    return this.#prefixes.has(key);
  }

  /** For example `Ctrl-R`. Empty: no key is bound. */
  labelsOf(action: KeyAction): readonly string[] {
    return (this.#keys.get(action) ?? []).map((keys) => keys.split(' ').map(toLabel).join(' '));
  }
}

function firstOf(keys: string): string {
  return keys.split(' ', 1)[0] ?? keys;
}

function toLabel(key: string): string {
  const words = key.split(/\+(?=.)/);
  return words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`).join('-');
}
