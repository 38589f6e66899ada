// Continue a session on a host without a disk: node 22-session-store.ts "Remember: 42"; then again with another prompt
import { query } from '@qwen/sdk';
import { SqliteSessionStore } from '@qwen/sdk/stores';

using sessionStore = new SqliteSessionStore({ path: 'sessions.db' });
const prompts = process.argv.length > 2 ? process.argv.slice(2) : ['Remember: 42.', 'Which number?'];

for (const prompt of prompts) {
  for await (const message of query({ prompt, options: { sessionStore, continue: true } })) {
    if (message.type === 'system' && message.subtype === 'mirror_error') console.error(message.error);
    if (message.type === 'result' && message.subtype === 'success') console.log(message.result);
  }
}
