import type { FileStore } from '@qwen/agent/node';
import { type ExportFormat, renderConversation } from '@qwen/commands';
import type { SessionRecord } from '@qwen/protocol';

const PAGE = 500;

/** A stored session as text. Rejects with the errors of the store. */
export async function renderSession(
  store: Pick<FileStore, 'messages'>,
  { sessionId, format }: { readonly sessionId: string; readonly format: ExportFormat },
): Promise<string> {
  const records: SessionRecord[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.messages(sessionId, { limit: PAGE, ...(cursor !== undefined && { cursor }) });
    // Messages of subagents are covered by the result of their call.
    records.push(...page.messages.filter(({ parent_tool_use_id: parent }) => parent === undefined || parent === null));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  const answer = records.findLast(({ type }) => type === 'assistant');
  const model = answer?.type === 'assistant' ? answer.model : 'unknown';
  return renderConversation(format, records, { sessionId, model });
}
