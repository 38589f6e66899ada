import { type Segment, type StyledLine, toHref } from '../lines/styled-line.js';
import { cutLine } from '../lines/wrap-line.js';
import type { LiveCall } from '../state/terminal-state.js';
import { callTarget, callWords } from './call-words.js';
import type { CardOptions } from './card-options.js';

export type CallState = LiveCall['phase'];

export interface ShownCall {
  readonly name: string;
  readonly input: unknown;
  readonly state: CallState;
}

/** The state must be readable without colour; the word is for screen readers. */
const STATES: Readonly<Record<CallState, { readonly mark: Segment; readonly word: string }>> = {
  pending: { mark: { text: '○', token: 'Gray' }, word: 'waiting' },
  asking: { mark: { text: '?', token: 'AccentYellow' }, word: 'asking' },
  running: { mark: { text: '●', token: 'AccentBlue' }, word: 'running' },
  success: { mark: { text: '✓', token: 'AccentGreen' }, word: 'finished' },
  error: { mark: { text: '✗', token: 'AccentRed' }, word: 'failed' },
  canceled: { mark: { text: '–', token: 'AccentYellow' }, word: 'cancelled' },
};

export function toolCallLine({ name, input, state }: ShownCall, options: CardOptions): StyledLine {
  const { columns, isScreenReader = false, folder } = options;
  const { title, argument } = callWords(name, input, folder);
  const { mark, word } = STATES[state];
  const href = toHref(callTarget(name, input, folder) ?? '');
  const link = href === undefined ? {} : { href };
  const words: StyledLine = isScreenReader
    ? [{ text: `Tool ${title}, ${word}` }, ...(argument === '' ? [] : [{ text: `: ${argument}` }])]
    : [
        mark,
        { text: ' ' },
        { text: title, bold: true },
        ...(argument === '' ? [] : [{ text: ' ' }, { text: argument, ...link }]),
      ];
  return cutLine(words, columns);
}
