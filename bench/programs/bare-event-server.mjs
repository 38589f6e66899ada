// Baseline of the event server: the same bytes over bare HTTP, and to a file.
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { answerCommands, paced, say } from './server-commands.mjs';

const listeners = new Set();
let past = '';
let seq = 0;
const frame = (members) => {
  seq += 1;
  return `id: ${seq}\nevent: agent.content_block_delta\ndata: ${JSON.stringify(members)}\n\n`;
};

const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(`retry: 1000\n\n${past}`);
  listeners.add(response);
  response.on('close', () => listeners.delete(response));
});
server.listen(0, '127.0.0.1', () => say({ port: server.address().port }));

await answerCommands({
  create: () => {
    past = '';
    seq = 0;
  },
  fill: ({ events, text }) => {
    past = Array.from({ length: events }, () => frame({ text })).join('');
  },
  publish: (command) =>
    paced(command, (members) => {
      const bytes = Buffer.from(frame(members));
      for (const response of listeners) response.write(bytes);
    }),
  // All waiting sessions share one write and sync, the minimum for durability.
  append: ({ sessions, events, text }) => {
    const file = openSync(`${process.argv[2]}.bare`, 'a');
    const startedAt = performance.now();
    for (let done = 0; done < events; done += sessions) {
      writeSync(file, Array.from({ length: sessions }, () => frame({ text })).join(''));
      fdatasyncSync(file);
    }
    closeSync(file);
    return { tookMs: performance.now() - startedAt };
  },
});
server.close();
server.closeAllConnections();
