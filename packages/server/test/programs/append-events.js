// Appends numbered events to a session, several at once, until it is killed or something fails. Each group is told on
// stdout only after it is acknowledged.

import { writeSync } from 'node:fs';
import { openEventLog } from '@qwen/server';

const [, , place, sessionId, first] = process.argv;
const tell = (line) => writeSync(1, `${JSON.stringify(line)}\n`);
const log = await openEventLog(place);
if (first === '1') await log.create(sessionId);

/** Three of these run at once, so that a kill hits groups of appends. */
let next = Number(first);
async function append() {
  for (;;) {
    const numbers = [next, next + 1, next + 2];
    next += 3;
    const events = numbers.map((number) => ({ type: 'count', data: `${number}${' '.repeat(number % 500)}` }));
    const receipts = await log.append(sessionId, events);
    tell({ acknowledged: receipts.at(-1).seq });
  }
}
try {
  await Promise.all([append(), append(), append()]);
} catch (error) {
  tell({ failed: error.code });
  await log.close();
}
