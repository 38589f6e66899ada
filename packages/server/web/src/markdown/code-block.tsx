import { escapeHidden } from '@qwen/protocol';
import { useState } from 'preact/hooks';

export interface CodeBlockProps {
  readonly text: string;
  /** May be empty. */
  readonly language: string;
}

/** More may not all be in sight. */
const MANY_LINES = 10;

export function CodeBlock({ text, language }: CodeBlockProps) {
  const [isCopied, setIsCopied] = useState(false);
  const shown = escapeHidden(text, { keepLines: true });
  const lines = text.split('\n').length;
  const notes = [
    ...(language === '' ? [] : [language]),
    ...(lines > MANY_LINES ? [`${lines} lines`] : []),
    ...(shown === text ? [] : ['hidden characters are written as \\uXXXX']),
  ];
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setIsCopied(true),
      () => setIsCopied(false),
    );
  };
  return (
    <div class="code-block">
      <div class="code-head">
        <span>{notes.join(', ')}</span>
        <button type="button" class="quiet" onClick={copy}>
          {isCopied ? 'Copied' : 'Copy'}
        </button>
      </div>
      <pre tabIndex={0} aria-label={language === '' ? 'Code' : `Code in ${language}`} role="group">
        <code>{shown}</code>
      </pre>
    </div>
  );
}
