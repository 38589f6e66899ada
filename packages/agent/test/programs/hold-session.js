// Opens a session when a line comes on stdin, tells how that went, and holds it until the next line or its death.

import { once } from 'node:events';
import { createFileStore } from '@qwen/agent/node';

const [, , directory, sessionId] = process.argv;
const store = createFileStore({ directory });
process.stdout.write(`${JSON.stringify({ ready: process.pid })}\n`);
for (;;) {
  await once(process.stdin, 'data');
  let session;
  try {
    session = await store.open(sessionId);
    process.stdout.write(`${JSON.stringify({ opened: process.pid })}\n`);
  } catch (error) {
    process.stdout.write(`${JSON.stringify({ refused: error.code, pid: error.data.pid, since: error.data.since })}\n`);
  }
  await once(process.stdin, 'data');
  await session?.log.close();
  process.stdout.write(`${JSON.stringify({ closed: process.pid })}\n`);
}
