// Opens a session (`create` or `open`) and appends numbered records until it is killed, or until the disk is full.
// Each record is told on stdout only after it is acknowledged.

import { writeSync } from 'node:fs';
import { createFileStore } from '@qwen/agent/node';

const [, , directory, sessionId, mode, first] = process.argv;
const tell = (line) => writeSync(1, `${JSON.stringify(line)}\n`);
const store = createFileStore({ directory });
const createdAt = '2030-01-01T00:00:00.000Z';
const { log } =
  mode === 'create' ? await store.create({ sessionId, cwd: '/w', createdAt }) : await store.open(sessionId);
try {
  for (let number = Number(first); ; number += 1) {
    await log.append({ type: 'user', uuid: String(number), at: createdAt, content: 'x'.repeat(number % 3000) });
    tell({ acknowledged: number });
  }
} catch (error) {
  tell({ failed: error.code, systemCode: error.data.systemCode });
  await log.close();
}
