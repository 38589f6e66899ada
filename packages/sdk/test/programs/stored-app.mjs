// An app whose second tool call hangs. It prints the session id once a store in files has the first result.
import { query } from '@qwen/sdk';
import { FileSessionStore } from '@qwen/sdk/stores';

const [directory, cwd] = process.argv.slice(2);
const files = new FileSessionStore({ directory });
const sessionStore = {
  load: (key) => files.load(key),
  async append(key, entries) {
    await files.append(key, entries);
    if (!entries.some(({ type }) => type === 'tool_result')) return;
    process.stdout.write(`${JSON.stringify({ stored: key.sessionId, pid: running.pid })}\n`);
  },
};
const running = query({ prompt: 'read', options: { cwd, sessionStore, permissionMode: 'yolo' } });
for await (const message of running) if (message.type === 'never') break;
