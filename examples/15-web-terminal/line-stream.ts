import type { ServerResponse } from 'node:http';
import type { AgentLines } from './agent-lines.ts';

const KEEP_ALIVE_MS = 15_000;
/** A page with a larger backlog is disconnected. It reconnects with the number of its last line. */
const MOST_UNSENT_BYTES = 8 * 1024 * 1024;

/** Sends the agent's lines after `after` to a page as Server-Sent Events, each with its number. */
export function streamLines(lines: AgentLines, response: ServerResponse, after: number): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.flushHeaders();
  const keepAlive = setInterval(() => response.write(':\n\n'), KEEP_ALIVE_MS);
  const detach = lines.attach(after, {
    line(id, text) {
      response.write(`id: ${id}\ndata: ${text}\n\n`);
      if (response.writableLength > MOST_UNSENT_BYTES) response.destroy();
    },
    // An explicit event: the page would reopen a stream that just ends.
    end: (exitCode) => response.end(`event: end\ndata: ${exitCode}\n\n`),
  });
  response.on('close', () => {
    clearInterval(keepAlive);
    detach();
  });
}
