import type { CommandCall } from '../command.js';
import { type CommandOutcome, info } from '../command-outcome.js';
import type { ExportFormat } from '../conversation/export-formats.js';
import { hasMessages } from '../conversation/record-text.js';
import type { CommandHost } from '../host/command-host.js';
import { askFirst } from './command-parts.js';

export interface ConversationFile {
  readonly path: string;
  readonly format: ExportFormat;
}

/** Writes the conversation to a workspace file; asks before it replaces one. */
export async function writeConversation(
  file: ConversationFile,
  call: CommandCall,
  host: CommandHost,
): Promise<CommandOutcome> {
  const { session, files } = host;
  const records = await session.records();
  if (!hasMessages(records)) return info('The conversation is empty.');
  if ((await files.read(file.path)) !== undefined) {
    const question = askFirst(call, `${file.path} already exists. Replace it?`);
    if (question !== undefined) return question;
  }
  const { sessionId, model } = session;
  const { renderConversation } = await import('../conversation/render-conversation.js');
  const path = await files.write(file.path, renderConversation(file.format, records, { sessionId, model }));
  return info(`Wrote the conversation to ${path}`);
}

/** Session ids come from the host and may contain characters that file names must not. */
export function conversationFileName(kind: string, sessionId: string, format: ExportFormat): string {
  const ending = format === 'atif' ? 'atif.json' : format;
  return `qwen-${kind}-${sessionId.replaceAll(/[^\w-]/g, '_').slice(0, 64)}.${ending}`;
}
