import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import * as z from 'zod/mini';
import { Conversation } from '../harness/conversation.ts';
import type { Bench } from '../harness/figure.ts';
import { createWorkspace } from '../harness/workspace.ts';
import { createModelServer, toBaseUrl } from '../model/server.ts';

const TURNS = 5;

/**
 * Bytes of the first request with all built-in tools, and how many later requests keep the previous one as their
 * prefix, as provider caches require.
 */
export const firstRequest: Bench = async () => {
  await using workspace = await createWorkspace();
  const bodies: string[] = [];
  const server = createModelServer((body) => bodies.push(body)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = toBaseUrl((server.address() as AddressInfo).port, {});
  {
    await using conversation = new Conversation({ cwd: workspace.cwd, env: workspace.env(baseUrl) });
    for (let turn = 1; turn <= TURNS; turn += 1) await conversation.ask(`Say word number ${turn}.`);
  }
  server.close();
  const [first = ''] = bodies;
  const kept = bodies.slice(1).filter((body, index) => keepsPrefix(bodies[index] ?? '', body)).length;
  const { tools, messages } = requestSchema.parse(JSON.parse(first));
  return [
    {
      name: 'first request to the model',
      value: Buffer.byteLength(first) / 1000,
      unit: 'kB',
      target: { of: 'value', atMost: 10 },
    },
    { name: 'first request: tools', value: Buffer.byteLength(JSON.stringify(tools)) / 1000, unit: 'kB' },
    { name: 'first request: system prompt', value: Buffer.byteLength(JSON.stringify(messages[0])) / 1000, unit: 'kB' },
    { name: `requests of ${TURNS - 1} with unchanged prefix`, value: kept, unit: 'requests' },
  ];
};

const requestSchema = z.object({ messages: z.array(z.unknown()), tools: z.array(z.unknown()) });

/** Equal JSON texts are equal bytes on the wire. */
function keepsPrefix(earlier: string, later: string): boolean {
  const before = requestSchema.parse(JSON.parse(earlier));
  const after = requestSchema.parse(JSON.parse(later));
  const shared = after.messages.slice(0, before.messages.length);
  return (
    JSON.stringify(before.tools) === JSON.stringify(after.tools) &&
    JSON.stringify(before.messages) === JSON.stringify(shared)
  );
}
