import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import { AgentError, QWEN_VERSION } from '@qwen/protocol';
import type { Account } from '../config/account.js';
import type { Environment } from '../config/env.js';
import { PROVIDER, SERVER_ADDRESS } from './attributes.js';
import { ProcessTelemetry } from './process-telemetry.js';
import { toSampler } from './sampler.js';
import type { Telemetry } from './telemetry.js';

export interface TelemetryOptions {
  readonly environment: Environment;
  readonly account: Account;
  readonly onProblem: (error: AgentError) => void;
}

const LONGEST_VALUE = 256;

/**
 * Starts telemetry: OTLP over JSON to the endpoint of the `OTEL_` variables, in batches from a queue of 2,048;
 * overflow is dropped. Throws `usage` for an unknown sampler.
 */
export function openTelemetry({ environment, account, onProblem }: TelemetryOptions): Telemetry {
  const sampler = toSampler(environment.OTEL_TRACES_SAMPLER, environment.OTEL_TRACES_SAMPLER_ARG);
  const ours = resourceFromAttributes({ 'service.name': 'qwen', 'service.version': QWEN_VERSION });
  const sending = new BatchSpanProcessor({ exporter: reportOnce(new OTLPTraceExporter(), onProblem) });
  const provider = new TracerProvider({
    sampler,
    resource: ours.merge(detectResources({ detectors: [envDetector] })),
    spanLimits: { attributeValueLengthLimit: LONGEST_VALUE },
    spanProcessors: [sending],
  });
  const { TRACEPARENT: traceparent, TRACESTATE: tracestate } = environment;
  return new ProcessTelemetry({
    provider,
    sending,
    version: QWEN_VERSION,
    parent: traceparent === undefined ? undefined : { traceparent, ...(tracestate !== undefined && { tracestate }) },
    modelProvider: {
      ...(account.provider !== undefined && { [PROVIDER]: account.provider }),
      ...(account.host !== undefined && { [SERVER_ADDRESS]: account.host }),
    },
  });
}

/** Reports the first failed batch only. */
function reportOnce(exporter: SpanExporter, onProblem: (error: AgentError) => void): SpanExporter {
  let isReported = false;
  return {
    export(spans, callback) {
      exporter.export(spans, (result) => {
        if (result.error !== undefined && !isReported) {
          isReported = true;
          onProblem(new AgentError('internal', `Spans could not be sent: ${result.error.message}`));
        }
        callback(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush !== undefined && { forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve() }),
  };
}
