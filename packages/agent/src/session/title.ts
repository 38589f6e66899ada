import { AgentError, type SessionRecord } from '@qwen/protocol';

export type TitleRecord = Extract<SessionRecord, { readonly type: 'title' }>;

const MAX_TITLE_LENGTH = 200;

export function toTitle(title: string, at: string): TitleRecord {
  const line = title.trim();
  if (line === '' || line.length > MAX_TITLE_LENGTH || /[\p{Cc}\u2028\u2029]/u.test(line)) {
    throw new AgentError('invalid_payload', `title: expected one line of 1 to ${MAX_TITLE_LENGTH} characters`);
  }
  return { type: 'title', at, title: line };
}
