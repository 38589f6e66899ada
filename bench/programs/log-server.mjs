// The event log of `qwen serve` over HTTP, controlled by lines on stdin. Prints its port, then one line per command.
import { serve } from '@hono/node-server';
import { EventFramer, eventStreamResponse, openEventLog, parseLastEventId } from '@qwen/server';
import { answerCommands, paced, say } from './server-commands.mjs';

const log = await openEventLog(process.argv[2], { limits: { maxSubscribers: 1000 } });
const framer = new EventFramer();
const server = serve({ port: 0, hostname: '127.0.0.1', fetch: answer }, ({ port }) => say({ port }));

async function answer(request) {
  const sessionId = new URL(request.url).pathname.slice(1);
  const afterSeq = parseLastEventId(request.headers.get('last-event-id'));
  return eventStreamResponse(await log.attach(sessionId, { afterSeq }), { framer });
}

const event = (members) => ({ type: 'agent.content_block_delta', data: JSON.stringify(members) });

await answerCommands({
  create: ({ session }) => log.create(session),
  fill: async ({ session, events, text }) => {
    await log.append(
      session,
      Array.from({ length: events }, () => event({ text })),
    );
  },
  publish: (command) => paced(command, (members) => log.append(command.session, [event(members)])),
  // Each session waits for its last append, as a turn does.
  append: async ({ sessions, events, text }) => {
    const names = Array.from({ length: sessions }, (_, index) => `append-${index}-${process.hrtime.bigint()}`);
    await Promise.all(names.map((name) => log.create(name)));
    const startedAt = performance.now();
    const writers = names.map(async (name) => {
      for (let done = 0; done < events / sessions; done += 1) await log.append(name, [event({ text })]);
    });
    await Promise.all(writers);
    return { tookMs: performance.now() - startedAt };
  },
});
server.close();
server.closeAllConnections();
await log.close();
