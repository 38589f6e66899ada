import { type Attributes, createNoopMeter } from '@opentelemetry/api';
import type { ExportResult } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { AgentError, QWEN_VERSION } from '@qwen/protocol';
import type { Account } from '../config/account.js';
import type { Environment } from '../config/env.js';
import { PROVIDER, SERVER_ADDRESS, SERVER_PORT } from './attributes.js';
import { ProcessTelemetry } from './process-telemetry.js';
import { toSampler } from './sampler.js';
import type { Telemetry } from './telemetry.js';
import { readSwitch } from './with-telemetry.js';

export interface TelemetryOptions {
  readonly environment: Environment;
  readonly account: Account;
  readonly onProblem: (error: AgentError) => void;
}

const LONGEST_VALUE = 256;
const LONGEST_CONTENT = 256 * 1024;

/** Well-known names of the conventions, for those that differ from ours. */
const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ['openai-responses', 'openai'],
  ['gemini', 'gcp.gemini'],
  ['vertex-ai', 'gcp.vertex_ai'],
]);

/**
 * Starts telemetry: OTLP over JSON to the endpoint of the `OTEL_` variables, in batches from a queue of 2,048;
 * overflow is dropped. Throws `usage` for an unknown sampler and an invalid switch for content.
 */
export function openTelemetry({ environment, account, onProblem }: TelemetryOptions): Telemetry {
  const sampler = toSampler(environment.OTEL_TRACES_SAMPLER, environment.OTEL_TRACES_SAMPLER_ARG);
  const includesContent = readSwitch('QWEN_TELEMETRY_CONTENT', environment.QWEN_TELEMETRY_CONTENT ?? '0');
  const ours = resourceFromAttributes({ 'service.name': 'qwen', 'service.version': QWEN_VERSION });
  const resource = ours.merge(detectResources({ detectors: [envDetector] }));
  const exporter = new OTLPTraceExporter();
  exporter.export = reportOnce(exporter.export.bind(exporter), ({ message }) =>
    onProblem(new AgentError('internal', `Spans could not be sent: ${message}`)),
  );
  const spans = new BatchSpanProcessor({ exporter });
  const provider = new TracerProvider({
    sampler,
    resource,
    spanLimits: { attributeValueLengthLimit: includesContent ? LONGEST_CONTENT : LONGEST_VALUE },
    spanProcessors: [spans],
  });
  const metrics = environment.OTEL_METRICS_EXPORTER === 'none' ? undefined : openMetrics(resource, onProblem);
  const { TRACEPARENT: traceparent, TRACESTATE: tracestate } = environment;
  return new ProcessTelemetry({
    provider,
    meter: metrics?.getMeter('qwen', QWEN_VERSION) ?? createNoopMeter(),
    sending: { shutdown: async () => void (await Promise.allSettled([spans.shutdown(), metrics?.shutdown()])) },
    includesContent,
    version: QWEN_VERSION,
    parent: traceparent === undefined ? undefined : { traceparent, ...(tracestate !== undefined && { tracestate }) },
    modelProvider: {
      ...(account.provider !== undefined && { [PROVIDER]: PROVIDERS.get(account.provider) ?? account.provider }),
      ...(account.host !== undefined && serverOf(account.host)),
    },
  });
}

function openMetrics(resource: Resource, onProblem: (error: AgentError) => void): MeterProvider {
  const exporter = new OTLPMetricExporter();
  exporter.export = reportOnce(exporter.export.bind(exporter), ({ message }) =>
    onProblem(new AgentError('internal', `Metrics could not be sent: ${message}`)),
  );
  return new MeterProvider({ resource, readers: [new PeriodicExportingMetricReader({ exporter })] });
}

function serverOf(host: string): Attributes {
  const { hostname, port } = new URL(`scheme://${host}`);
  return { [SERVER_ADDRESS]: hostname, ...(port !== '' && { [SERVER_PORT]: Number(port) }) };
}

type Send<Batch> = (batch: Batch, done: (result: ExportResult) => void) => void;

function reportOnce<Batch>(send: Send<Batch>, onError: (error: Error) => void): Send<Batch> {
  let isReported = false;
  return (batch, done) => {
    send(batch, (result) => {
      if (result.error !== undefined && !isReported) {
        isReported = true;
        onError(result.error);
      }
      done(result);
    });
  };
}
