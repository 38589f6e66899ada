import type { ContentBlock, SessionRecord } from '@qwen/protocol';

/** The words of a message; pictures and calls say nothing. */
export function textOf(content: string | readonly ContentBlock[]): string {
  if (typeof content === 'string') return content;
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** The words of the model's last answer that has some; undefined when it never said anything. */
export function lastAnswer(records: readonly SessionRecord[]): string | undefined {
  const answerOf = (record: SessionRecord) => (record.type === 'assistant' ? textOf(record.content).trim() : '');
  return records.map(answerOf).findLast((text) => text !== '');
}

/** Whether anything was said. */
export function hasMessages(records: readonly SessionRecord[]): boolean {
  return records.some(({ type }) => type === 'user' || type === 'assistant');
}
