import { Box } from 'ink';
import type { ReactNode } from 'react';
import { cleanText } from '../../composer/clean-text.js';
import { toKeystrokes } from '../../composer/keystroke.js';
import { Lines } from '../../lines/lines-view.js';
import { toShown } from '../../lines/shown-text.js';
import { useKeys } from '../../use-keys.js';
import { useLatestState } from '../use-latest-state.js';

interface TextEntryProps {
  readonly prompt: string;
  readonly columns: number;
  readonly initial?: string;
  /** Shows dots and keeps the line breaks of a paste. */
  readonly isSecret?: boolean;
  readonly onSubmit: (text: string) => void;
  readonly onCancel: () => void;
}

const MAX_DOTS = 24;

/** A text longer than the line shows its end. */
export function TextEntry(props: TextEntryProps): ReactNode {
  const { prompt, columns, initial = '', isSecret = false, onSubmit, onCancel } = props;
  const text = useLatestState(initial);
  const add = (words: string): void =>
    text.set(text.current + (isSecret ? words : cleanText(words).replaceAll(/\s*\n+\s*/g, ' ')));
  const press = (name: string): void => {
    if (name === 'escape') return onCancel();
    if (name === 'enter') return onSubmit(text.current);
    if (name === 'backspace' || name === 'delete') return text.set(withoutLast(text.current));
    if (name === 'ctrl+u') return text.set('');
    if (name === 'ctrl+w') text.set(text.current.replace(/\S*\s*$/, ''));
  };
  useKeys({
    onKey: (input, key) => {
      for (const stroke of toKeystrokes(input, key)) {
        if (stroke.kind === 'text') add(stroke.text);
        else press(stroke.name);
      }
    },
    onPaste: add,
  });
  const room = Math.max(8, columns - 4);
  const shown = isSecret ? '•'.repeat(Math.min(text.current.length, MAX_DOTS)) : toShown(text.current);
  return (
    <Box flexDirection="column">
      <Lines
        lines={[
          [{ text: prompt, bold: true }],
          [{ text: '> ', token: 'AccentBlue' }, { text: shown.slice(-room) }, { text: ' ', inverse: true }],
        ]}
      />
    </Box>
  );
}

function withoutLast(text: string): string {
  const graphemes = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)];
  return graphemes
    .slice(0, -1)
    .map(({ segment }) => segment)
    .join('');
}
