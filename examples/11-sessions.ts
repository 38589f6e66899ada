// List, rename, read and delete stored sessions, and fork one at any message.
import { deleteSession, forkSession, getSessionMessages, listSessions, query, renameSession } from '@qwen/sdk';

async function say(prompt: string, resume?: string): Promise<string> {
  let text = '';
  for await (const message of query({ prompt, options: { resume } })) {
    if (message.type === 'result') text = message.result ?? '';
  }
  return text;
}

await say('A name for a cat?');
const { sessions } = await listSessions({ cwd: process.cwd() });
const [cat] = sessions;
if (cat === undefined) throw new Error('there is no session');
await renameSession(cat.session_id, 'The cat');
console.log(await say('And for her sister?', cat.session_id));

// The copy ends with the first answer, so it does not contain the second question.
const { messages } = await getSessionMessages(cat.session_id);
const firstAnswer = messages.find(({ type }) => type === 'assistant');
const copy = await forkSession(cat.session_id, { upToMessageId: firstAnswer?.uuid });
console.log(copy.title);
console.log(await say('What did I ask you?', copy.session_id));

await deleteSession(copy.session_id);
const left = await listSessions({ cwd: process.cwd() });
console.log(`sessions: ${left.sessions.length}, messages of the first: ${messages.length}`);
