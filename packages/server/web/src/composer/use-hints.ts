import { useEffect, useState } from 'preact/hooks';
import type { RequestOf, ResponseOf } from '../server/server-client.js';
import { findHintTarget } from './hint-target.js';

export type Suggestion = ResponseOf<'/api/hints'>['suggestions'][number];
export type HintSource = (
  question: Omit<RequestOf<'/api/hints'>, 'sessionId'>,
  signal: AbortSignal,
) => Promise<readonly Suggestion[]>;

export interface Hints {
  readonly suggestions: readonly Suggestion[];
  readonly start: number;
}

const NONE: Hints = { suggestions: [], start: 0 };
const PAUSE_MS = 80;

/** Requests hints while the user types; only the newest request counts. Errors are ignored. */
export function useHints(text: string, cursor: number, ask: HintSource | undefined): [Hints, close: () => void] {
  const [hints, setHints] = useState<Hints>(NONE);
  useEffect(() => {
    const target = findHintTarget(text, cursor);
    if (target === undefined || ask === undefined) {
      setHints(NONE);
      return undefined;
    }
    const abort = new AbortController();
    const { trigger, start } = target;
    const timer = setTimeout(() => {
      ask({ trigger, text, cursor }, abort.signal).then(
        (suggestions) => abort.signal.aborted || setHints({ suggestions, start }),
        () => abort.signal.aborted || setHints(NONE),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text, cursor, ask]);
  return [hints, () => setHints(NONE)];
}
