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

const metricSchema = z.looseObject({
  name: z.string(),
  unit: z.string(),
  histogram: z.object({
    dataPoints: z.array(z.looseObject({ count: z.number(), sum: z.number(), attributes: z.array(attributeSchema) })),
  }),
});
const metricsSchema = z.object({
  resourceMetrics: z.array(z.looseObject({ scopeMetrics: z.array(z.looseObject({ metrics: z.array(metricSchema) })) })),
});
export type SentMetric = z.infer<typeof metricSchema>;

/** Takes spans as any OpenTelemetry collector does: OTLP in JSON. */
export interface Collector extends AsyncDisposable {
  readonly url: string;
  readonly connectionCount: number;
  /** All requests with spans as received. */
  readonly bodies: readonly string[];
  readonly headers: readonly IncomingHttpHeaders[];
  readonly spans: readonly SentSpan[];
  readonly metrics: readonly SentMetric[];
  /** Attributes of the resource of the first request. */
  readonly resource: Readonly<Record<string, unknown>>;
}

/** `answers` says whether it does; one that does not holds its connections open. */
export async function startCollector({ answers = true } = {}): Promise<Collector> {
  const bodies: string[] = [];
  const metrics: SentMetric[] = [];
  const headers: IncomingHttpHeaders[] = [];
  let connectionCount = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      if (request.url === '/v1/metrics') {
        const sent = metricsSchema.parse(JSON.parse(body)).resourceMetrics;
        metrics.push(...sent.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics)));
      } else {
        headers.push(request.headers);
        bodies.push(body);
      }
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
    metrics,
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
