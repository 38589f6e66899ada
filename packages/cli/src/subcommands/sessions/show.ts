import type { MessageRecord } from '@qwen/agent/node';
import { toStoredMessage } from '@qwen/host/sessions/stored-sessions.js';
import { encodeLine } from '@qwen/protocol';
import { wantsJson } from '../words/json-flags.js';
import { readWords } from '../words/read-words.js';
import type { SessionsVerb } from './command.js';
import { findSession } from './find-session.js';
import { plainLine, readLimit, takeWords } from './session-arguments.js';
import { SESSIONS } from './spec.js';

const LINE_LENGTH = 200;

export const showSession: SessionsVerb = async ({ store, words, print }) => {
  const { flags, rest } = readWords(words, { command: 'sessions show', flags: SESSIONS.verbs.show.flags });
  const [word] = takeWords(rest, ['ID']);
  const sessionId = await findSession(store, word);
  const { messages, nextCursor } = await store.messages(sessionId, {
    ...readLimit(flags.limit),
    ...(flags.cursor !== undefined && { cursor: flags.cursor }),
  });
  if (wantsJson(flags)) {
    const document = {
      messages: messages.map((record) => toStoredMessage(record, sessionId)),
      ...(nextCursor !== undefined && { next_cursor: nextCursor }),
    };
    await print(encodeLine(document));
    return 0;
  }
  for (const record of messages) {
    for (const line of toLines(record)) await print(`${record.uuid}  ${plainLine(line, LINE_LENGTH)}\n`);
  }
  if (nextCursor !== undefined) await print(`More: --cursor ${nextCursor}\n`);
  return 0;
};

function toLines(record: MessageRecord): readonly string[] {
  const { content } = record;
  const who = record.type === 'tool_result' ? `< ${record.tool_name}` : `${record.type}:`;
  if (typeof content === 'string') return [`${who} ${content}`];
  return content.map((block) => {
    if (block.type === 'text') return `${who} ${block.text}`;
    if (block.type === 'tool_use') return `> ${block.name} ${JSON.stringify(block.input)}`;
    return `${who} [${block.type}]`;
  });
}
