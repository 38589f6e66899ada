// Receive the spans of the agent over OTLP, as a collector does, and print them as a tree.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { query } from '@qwen/sdk';
import * as z from 'zod';

const spanSchema = z.object({
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  startTimeUnixNano: z.coerce.bigint(),
  attributes: z.array(z.object({ key: z.string(), value: z.object({ intValue: z.coerce.number().optional() }) })),
});
const tracesSchema = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })) })),
});

const spans: z.infer<typeof spanSchema>[] = [];
const complete = Promise.withResolvers<void>();
const collector = createServer((request, response) => {
  void receive(request).then(() => response.setHeader('content-type', 'application/json').end('{}'));
});

async function receive(request: IncomingMessage): Promise<void> {
  for (const { scopeSpans } of tracesSchema.parse(await json(request)).resourceSpans)
    spans.push(...scopeSpans.flatMap((scope) => scope.spans));
  // The span of the session ends last.
  if (spans.some(({ name }) => name === 'qwen.session')) complete.resolve();
}

collector.listen(0, '127.0.0.1');
await once(collector, 'listening');
const { port } = collector.address() as AddressInfo;

const env = {
  ...process.env,
  QWEN_TELEMETRY: '1',
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
  OTEL_METRICS_EXPORTER: 'none',
};
const prompt = process.argv[2] ?? 'What is this folder for?';
for await (const message of query({ prompt, options: { env } })) {
  if (message.type === 'result') console.log(message.result);
}

await complete.promise;
collector.close();
spans.sort((a, b) => Number(a.startTimeUnixNano - b.startTimeUnixNano));

function print(parentSpanId: string | undefined, indent: string): void {
  for (const { spanId, name, attributes } of spans.filter((one) => one.parentSpanId === parentSpanId)) {
    const tokens = attributes.find(({ key }) => key === 'gen_ai.usage.output_tokens')?.value.intValue;
    console.log(`${indent}${name}${tokens === undefined ? '' : `: ${tokens} output tokens`}`);
    print(spanId, `${indent}  `);
  }
}
print(undefined, '');
