// Keeps conversations: remembers, continues, forks, renames, lists and prints them. Run: node sessions.ts
import {
  forkSession,
  getSessionInfo,
  getSessionMessages,
  listSessions,
  type Options,
  query,
  renameSession,
} from '@anthropic-ai/claude-agent-sdk';

const base: Options = { permissionMode: 'dontAsk', maxTurns: 5 };

async function say(prompt: string, options: Options = {}): Promise<string> {
  let sessionId = '';
  for await (const message of query({ prompt, options: { ...base, ...options } })) {
    if (message.type === 'system' && message.subtype === 'init') sessionId = message.session_id;
    if (message.type === 'result' && message.subtype === 'success') console.log(`${prompt} -> ${message.result}`);
  }
  return sessionId;
}

const first = await say('My name is Ada.');
const resumed = await say('What is my name?', { resume: first });
console.log('resumed the same session:', resumed === first);
const forked = await say('Call me Grace.', { resume: first, forkSession: true });
console.log('forked another session:', forked !== first);
await say('And now?', { continue: true });

await renameSession(first, 'About Ada');
const copy = await forkSession(first, { title: 'A copy' });
console.log('copied:', copy.sessionId !== first);

const sessions = await listSessions({ dir: process.cwd(), limit: 10 });
console.log('sessions:', sessions.length);
for (const session of sessions) {
  const known = session.sessionId === first ? 'first' : session.sessionId === forked ? 'fork' : 'copy';
  const isRecent = Date.now() - session.lastModified < 3_600_000;
  console.log(`${known}: ${session.customTitle ?? '-'} | ${session.summary} | ${session.firstPrompt} | ${isRecent}`);
}
const info = await getSessionInfo(first, { dir: process.cwd() });
console.log('info:', info?.summary, info?.cwd === process.cwd());

for (const { type, message } of await getSessionMessages(first, { dir: process.cwd() })) {
  const { content } = message as { content: string | { type: string; text?: string }[] };
  const text = typeof content === 'string' ? content : content.map((block) => block.text ?? `[${block.type}]`).join('');
  console.log(`${type}: ${text}`);
}
const [last] = (await getSessionMessages(first, { limit: 1, offset: 3 })) ?? [];
console.log('fourth message:', last?.type);
