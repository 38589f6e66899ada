import { escapeHidden } from '@qwen/protocol';
import { CopyButton } from '../transcript/copy-button.js';
import { useHighlight } from './use-highlight.js';

export interface CodeBlockProps {
  readonly text: string;
  /** May be empty. */
  readonly language: string;
}

/** More may not all be in sight. */
const MANY_LINES = 10;

export function CodeBlock({ text, language }: CodeBlockProps) {
  const shown = escapeHidden(text, { keepLines: true });
  const highlighted = useHighlight(shown, language);
  const lines = text.split('\n').length;
  const notes = [
    ...(language === '' ? [] : [language]),
    ...(lines > MANY_LINES ? [`${lines} lines`] : []),
    ...(shown === text ? [] : ['hidden characters are written as \\uXXXX']),
  ];
  return (
    <div class="code-block">
      <div class="code-head">
        <span>{notes.join(', ')}</span>
        <CopyButton text={() => text} label="Copy the code" />
      </div>
      <pre tabIndex={0} aria-label={language === '' ? 'Code' : `Code in ${language}`} role="group">
        <code>{highlighted ?? shown}</code>
      </pre>
    </div>
  );
}
