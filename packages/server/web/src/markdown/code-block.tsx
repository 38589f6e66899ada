import { useState } from 'preact/hooks';

export interface CodeBlockProps {
  readonly text: string;
  /** May be empty. */
  readonly language: string;
}

export function CodeBlock({ text, language }: CodeBlockProps) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setIsCopied(true),
      () => setIsCopied(false),
    );
  };
  return (
    <div class="code-block">
      <div class="code-head">
        <span>{language}</span>
        <button type="button" class="quiet" onClick={copy}>
          {isCopied ? 'Copied' : 'Copy'}
        </button>
      </div>
      <pre tabIndex={0} aria-label={language === '' ? 'Code' : `Code in ${language}`} role="group">
        <code>{text}</code>
      </pre>
    </div>
  );
}
