import type { KeyAction } from '@qwen/protocol';
import type { KeyMap } from '../composer/key-map.js';
import type { StyledLine } from '../lines/styled-line.js';
import { wrapLine } from '../lines/wrap-line.js';

const MAX_LABELS = 2;
const FEWEST_COLUMNS = 24;

const KEYS: readonly (readonly [key: string | { readonly action: KeyAction }, meaning: string])[] = [
  ['Enter', 'send, also to a running turn'],
  [{ action: 'sendLater' }, 'send after the running turn'],
  [{ action: 'newLine' }, 'new line'],
  ['/', 'commands'],
  ['@', 'files'],
  ['!', 'shell command'],
  ['Esc', 'stop the agent; twice: clear the input, or rewind if it is empty'],
  [{ action: 'rewind' }, 'rewind'],
  [{ action: 'previous' }, 'edit queued prompts, or recall earlier ones'],
  [{ action: 'searchHistory' }, 'search previous prompts'],
  [{ action: 'background' }, 'move the running command to the background'],
  [{ action: 'changeMode' }, 'change the approval mode'],
  [{ action: 'showFull' }, 'print the last thinking or result in full'],
  [{ action: 'openEditor' }, 'edit in your editor'],
  [{ action: 'pasteImage' }, 'paste an image'],
  [{ action: 'redraw' }, 'redraw the screen'],
  [{ action: 'suspend' }, 'suspend; resume with fg'],
  ['Ctrl-C', 'clear the input or stop the turn; twice: quit'],
  [{ action: 'quit' }, 'quit'],
];

export function shortcutLines(map: KeyMap, columns: number): readonly StyledLine[] {
  const rows = KEYS.flatMap(([key, meaning]) => {
    const label = typeof key === 'string' ? key : map.labelsOf(key.action).slice(0, MAX_LABELS).join(', ');
    return label === '' ? [] : [{ label, meaning }];
  });
  const width = Math.max(...rows.map(({ label }) => label.length)) + 2;
  const isNarrow = columns - width < FEWEST_COLUMNS;
  const indent = ' '.repeat(isNarrow ? 2 : width);
  const lines = rows.flatMap(({ label, meaning }): StyledLine[] => {
    const [first = [], ...rest] = wrapLine([{ text: meaning }], columns - indent.length);
    const key = { text: isNarrow ? label : label.padEnd(width), bold: true } as const;
    const begin = isNarrow ? [[key], [{ text: indent }, ...first]] : [[key, ...first]];
    return [...begin, ...rest.map((line): StyledLine => [{ text: indent }, ...line])];
  });
  return [...lines, []];
}
