import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod/mini';

const attributeSchema = z.object({
  key: z.string(),
  value: z.looseObject({ stringValue: z.optional(z.string()), intValue: z.optional(z.number()) }),
});
const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.optional(z.string()),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: z.array(attributeSchema),
  links: z.array(z.looseObject({ spanId: z.string() })),
  status: z.object({ code: z.number(), message: z.optional(z.string()) }),
});
const bodySchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.looseObject({ attributes: z.array(attributeSchema) }),
      scopeSpans: z.array(z.looseObject({ spans: z.array(spanSchema) })),
    }),
  ),
});

/** A span as received. */
export type SentSpan = z.infer<typeof spanSchema>;

/** Takes spans as any OpenTelemetry collector does: OTLP in JSON. */
export interface Collector extends AsyncDisposable {
  readonly url: string;
  readonly connectionCount: number;
  /** All requests as received. */
  readonly bodies: readonly string[];
  readonly headers: readonly IncomingHttpHeaders[];
  readonly spans: readonly SentSpan[];
  /** Attributes of the resource of the first request. */
  readonly resource: Readonly<Record<string, unknown>>;
}

/** `answers` says whether it does; one that does not holds its connections open. */
export async function startCollector({ answers = true } = {}): Promise<Collector> {
  const bodies: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  let connectionCount = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      headers.push(request.headers);
      bodies.push(Buffer.concat(chunks).toString('utf8'));
      if (answers) response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.on('connection', () => {
    connectionCount += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const read = () => bodies.flatMap((body) => bodySchema.parse(JSON.parse(body)).resourceSpans);
  return {
    url: `http://127.0.0.1:${port}`,
    get connectionCount() {
      return connectionCount;
    },
    bodies,
    headers,
    get spans() {
      return read().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
    },
    get resource() {
      const attributes = read()[0]?.resource.attributes ?? [];
      return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]));
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
