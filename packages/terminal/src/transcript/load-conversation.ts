import type { Configuration } from '@qwen/host/config/load-config.js';
import { openStore } from '@qwen/host/session-store.js';
import { PastEntries, type PastEntry } from '@qwen/host/sessions/past-entries.js';
import type { StyledLine } from '../lines/styled-line.js';
import { cutLine } from '../lines/wrap-line.js';
import { noteOf, quietLine } from './note-lines.js';
import { promptLines } from './prompt-lines.js';
import type { Transcript } from './transcript.js';

const SHOWN_ENTRIES = 60;

interface Drawing {
  readonly transcript: Transcript;
  readonly columns: () => number;
}

/** Rejects with the errors of the store. */
export async function loadConversation(
  configuration: Configuration,
  sessionId: string,
  drawing: Drawing,
): Promise<readonly StyledLine[]> {
  const past = new PastEntries(SHOWN_ENTRIES);
  await openStore(configuration).read(sessionId, past);
  const { entries, missing } = past;
  const above = missing > 0 ? [quietLine(`${missing} earlier entries of this conversation are not shown.`), []] : [];
  return [...above, ...entries.flatMap((entry) => entryLines(entry, drawing))];
}

/** The lines as they appeared originally, as far as the session file records them. */
export function entryLines(entry: PastEntry, { transcript, columns }: Drawing): readonly StyledLine[] {
  switch (entry.kind) {
    case 'prompt':
      return promptLines(entry, columns());
    case 'answer':
      return transcript.markdown(entry.text);
    case 'thought':
      return transcript.thought(entry.text);
    case 'call':
      return transcript.card(entry);
    case 'aside':
      return [cutLine(quietLine(entry.text), columns()), []];
    case 'broken_off':
      return [...noteOf(entry.text, columns()), []];
  }
}
