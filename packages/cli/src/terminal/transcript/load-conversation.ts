import type { SessionRecord } from '@qwen/protocol';
import { storedSessions } from '../../commands/host-sessions.js';
import type { Configuration } from '../../config/load-config.js';
import type { StyledLine } from '../lines/styled-line.js';
import { quietLine } from './note-lines.js';
import { promptLines } from './prompt-lines.js';
import type { Transcript } from './transcript.js';

/** Messages of a session that are shown when it is opened. */
const SHOWN_MESSAGES = 50;

interface Drawing {
  readonly transcript: Transcript;
  readonly columns: () => number;
}

/** The end of a stored conversation as lines, and how much stands before it. Rejects with the errors of the store. */
export async function loadConversation(
  configuration: Configuration,
  sessionId: string,
  drawing: Drawing,
): Promise<readonly StyledLine[]> {
  const records = await storedSessions(configuration).load(sessionId);
  const messages = records.filter(({ type }) => type === 'user' || type === 'assistant');
  const missing = messages.length - SHOWN_MESSAGES;
  const above = missing > 0 ? [quietLine(`${missing} messages stand above these.`), []] : [];
  return [...above, ...messages.slice(-SHOWN_MESSAGES).flatMap((record) => messageLines(record, drawing))];
}

function messageLines(record: SessionRecord, { transcript, columns }: Drawing): readonly StyledLine[] {
  if (record.type === 'user') return promptLines({ text: textOf(record.content), images: [] }, columns());
  if (record.type === 'assistant') return transcript.markdown(textOf(record.content));
  return [];
}

function textOf(content: string | readonly { readonly type: string }[]): string {
  if (typeof content === 'string') return content;
  return content.map((block) => ('text' in block && typeof block.text === 'string' ? block.text : '')).join('\n');
}
