import { diffArrays } from 'diff';

export interface TextRun {
  readonly text: string;
  readonly isChanged: boolean;
}

export interface ChangedWords {
  readonly removed: readonly TextRun[];
  readonly added: readonly TextRun[];
}

const WORD = /[\p{L}\p{N}_]+|\s+|[^]/gu;
/** Longer lines, and lines with more differences, are not compared by words. */
const MAX_LENGTH = 1_000;
const MAX_EDITS = 100;
/** Lines that share less of the shorter one are unrelated. */
const LEAST_SHARED = 0.3;

/** Undefined when the lines are unrelated. */
export function changedWords(before: string, after: string): ChangedWords | undefined {
  if (before.length > MAX_LENGTH || after.length > MAX_LENGTH) return undefined;
  const changes = diffArrays(before.match(WORD) ?? [], after.match(WORD) ?? [], { maxEditLength: MAX_EDITS });
  if (changes === undefined) return undefined;
  const removed: TextRun[] = [];
  const added: TextRun[] = [];
  let shared = 0;
  for (const change of changes) {
    const text = change.value.join('');
    const isChanged = change.added || change.removed;
    if (!isChanged) shared += text.trim().length;
    if (!change.added) removed.push({ text, isChanged });
    if (!change.removed) added.push({ text, isChanged });
  }
  const least = LEAST_SHARED * Math.min(before.trim().length, after.trim().length);
  return shared === 0 || shared < least ? undefined : { removed, added };
}
