// Commands of the event servers: one JSON line each, with one JSON line as the answer.
import { setTimeout as delay } from 'node:timers/promises';

export const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

/** Runs commands in order until stdin closes. */
export async function answerCommands(verbs) {
  const all = { ...verbs, memory };
  let rest = '';
  for await (const text of process.stdin.setEncoding('utf8')) {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const command = JSON.parse(line);
      say({ done: command.do, ...(await all[command.do](command)) });
    }
  }
}

/** Publishes `count` events, one every `everyMs`, each with its time. */
export async function paced({ events, everyMs }, publish) {
  const startedAt = performance.now();
  const published = [];
  for (let index = 0; index < events; index += 1) {
    const early = startedAt + index * everyMs - performance.now();
    if (early > 1) await delay(early);
    published.push(publish({ at: String(process.hrtime.bigint()), text: 'x'.repeat(100) }));
  }
  await Promise.all(published);
}

function memory() {
  globalThis.gc();
  return { bytes: process.memoryUsage().rss };
}
