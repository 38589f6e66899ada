import { useMemo } from 'preact/hooks';
import { toMarkdownNodes } from './markdown-nodes.js';

/** What a model wrote, as markdown. Nothing is drawn again that has not changed: answers grow many times a second. */
export function Markdown({ text }: { readonly text: string }) {
  return useMemo(() => <div class="markdown">{toMarkdownNodes(text)}</div>, [text]);
}
