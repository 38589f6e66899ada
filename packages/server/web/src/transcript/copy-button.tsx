import { useState } from 'preact/hooks';

export interface CopyButtonProps {
  readonly text: () => string;
  readonly label: string;
}

export function CopyButton({ text, label }: CopyButtonProps) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = () => {
    navigator.clipboard.writeText(text()).then(
      () => setIsCopied(true),
      () => setIsCopied(false),
    );
  };
  return (
    <button type="button" class="quiet" aria-label={isCopied ? 'Copied' : label} onClick={copy}>
      {isCopied ? 'Copied' : 'Copy'}
    </button>
  );
}
