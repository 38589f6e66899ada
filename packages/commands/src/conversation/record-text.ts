import { contentText, type SessionRecord } from '@qwen/protocol';

export function lastAnswer(records: readonly SessionRecord[]): string | undefined {
  const answerOf = (record: SessionRecord) => (record.type === 'assistant' ? contentText(record.content).trim() : '');
  return records.map(answerOf).findLast((text) => text !== '');
}

export function hasMessages(records: readonly SessionRecord[]): boolean {
  return records.some(({ type }) => type === 'user' || type === 'assistant');
}
