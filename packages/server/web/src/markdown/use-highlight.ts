import type { ComponentChild } from 'preact';
import { useEffect, useState } from 'preact/hooks';

type Highlight = (text: string, language: string) => ComponentChild[] | undefined;

const MAX_CHARACTERS = 50_000;
/** A text that streams is highlighted in its pauses. */
const PAUSE_MS = 120;

let loading: Promise<Highlight | undefined> | undefined;

/** Undefined until the highlighter is loaded, and for an unknown language. The text is complete before that. */
export function useHighlight(text: string, language: string): ComponentChild[] | undefined {
  const [painted, setPainted] = useState<{ readonly text: string; readonly nodes: ComponentChild[] | undefined }>();
  const name = (language.split('.').at(-1) ?? '').toLowerCase();
  useEffect(() => {
    if (name === '' || text.length > MAX_CHARACTERS) return undefined;
    let isWanted = true;
    const timer = setTimeout(() => {
      // Without it, code stays plain.
      loading ??= import('./highlight.js').then(
        ({ highlight }) => highlight,
        () => undefined,
      );
      void loading.then((highlight) => isWanted && setPainted({ text, nodes: highlight?.(text, name) }));
    }, PAUSE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [text, name]);
  return painted?.text === text ? painted.nodes : undefined;
}
