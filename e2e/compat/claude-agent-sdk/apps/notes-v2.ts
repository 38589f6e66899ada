// Keeps notes in one folder over several turns, with the session interface of version 0.2. Run: node notes-v2.ts
import {
  type HookCallback,
  unstable_v2_createSession,
  unstable_v2_prompt,
  unstable_v2_resumeSession,
} from '@anthropic-ai/claude-agent-sdk';

const notesOnly: HookCallback = async (input) => {
  if (input.hook_event_name !== 'PreToolUse') return {};
  const { file_path: file } = input.tool_input as { file_path: string };
  if (file.endsWith('.md')) return {};
  return { decision: 'block', reason: 'Write Markdown only.' };
};

const options = {
  model: 'sonnet',
  allowedTools: ['Write', 'Edit'],
  hooks: { PreToolUse: [{ matcher: 'Write|Edit', hooks: [notesOnly] }] },
};

async function* turns(): AsyncGenerator<string> {
  await using session = unstable_v2_createSession(options);
  for (const text of ['Note that bees dance.', 'Note that ants march.']) {
    await session.send(text);
    for await (const message of session.stream()) {
      if (message.type === 'result' && message.subtype === 'success') yield message.result;
    }
  }
  yield session.sessionId;
}

const said: string[] = [];
for await (const text of turns()) said.push(text);
const sessionId = said.pop() ?? '';
console.log(said.join(' | '));

const resumed = unstable_v2_resumeSession(sessionId, options);
await resumed.send('What did you note?');
for await (const message of resumed.stream()) {
  if (message.type === 'assistant') console.log(message.session_id === sessionId, message.message.content.length);
}
resumed.close();

const result = await unstable_v2_prompt('And alone?', options);
console.log(result.subtype === 'success' ? result.result : result.errors.join());
