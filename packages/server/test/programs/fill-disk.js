// Appends to a log on a small disk until it is full, makes room, and appends on. Says on stdout what happened.

import { rmSync, writeFileSync, writeSync } from 'node:fs';
import { openEventLog } from '@qwen/server';

const [, , folder] = process.argv;
const tell = (line) => writeSync(1, `${JSON.stringify(line)}\n`);
const filler = `${folder}/filler`;
writeFileSync(filler, 'x'.repeat(300_000));
const log = await openEventLog(`${folder}/events.db`);
await log.create('a');
const event = { type: 'x', data: JSON.stringify('x'.repeat(5000)) };
let acknowledged = 0;
try {
  for (;;) acknowledged = (await log.append('a', [event])).at(-1).seq;
} catch (error) {
  tell({ failed: error.code, acknowledged });
}
const whileFull = (await log.read('a')).lastSeq;
rmSync(filler);
const [{ seq }] = await log.append('a', [event]);
const { events } = await log.read('a');
tell({ whileFull, seq, seqs: events.map((each) => each.seq) });
await log.close();
