import type { ContentBlock, SessionRecord } from '@qwen/protocol';

/** Joins the text blocks. */
export function textOf(content: string | readonly ContentBlock[]): string {
  if (typeof content === 'string') return content;
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** The text of the last answer that has text. */
export function lastAnswer(records: readonly SessionRecord[]): string | undefined {
  const answerOf = (record: SessionRecord) => (record.type === 'assistant' ? textOf(record.content).trim() : '');
  return records.map(answerOf).findLast((text) => text !== '');
}

export function hasMessages(records: readonly SessionRecord[]): boolean {
  return records.some(({ type }) => type === 'user' || type === 'assistant');
}
