import { type Context, SpanKind, type Tracer } from '@opentelemetry/api';
import { type AskedSpan, type ControlTracer, followRun, isJsonObject, type ServedRequest } from '@qwen/protocol';
import { CONTROL_SUBTYPE } from './attributes.js';
import { LiveSpan } from './live-span.js';
import { toCarrier, toContext } from './trace-carrier.js';

export interface ControlSpansOptions {
  readonly tracer: Tracer;
  readonly placeOf: (callId: string | undefined) => Context;
}

export class ControlSpans implements ControlTracer {
  readonly #options: ControlSpansOptions;

  constructor(options: ControlSpansOptions) {
    this.#options = options;
  }

  ask({ subtype, payload }: { readonly subtype: string; readonly payload: unknown }): AskedSpan {
    const callId = isJsonObject(payload) ? payload['tool_use_id'] : undefined;
    const place = this.#options.placeOf(typeof callId === 'string' ? callId : undefined);
    const span = this.#start(subtype, SpanKind.CLIENT, place);
    return {
      context: toCarrier(span.context),
      end: (error) => {
        if (error !== undefined) span.fail(error.code);
        span.end();
      },
    };
  }

  serve<Result>({ subtype, trace, signal }: ServedRequest, run: () => Result): Result {
    const place = toContext(trace) ?? this.#options.placeOf(undefined);
    const span = this.#start(subtype, SpanKind.SERVER, place);
    return followRun(run, {
      signal,
      end: (error) => {
        if (error !== undefined) span.fail(error.code);
        span.end();
      },
    });
  }

  #start(subtype: string, kind: SpanKind, parent: Context): LiveSpan {
    const attributes = { [CONTROL_SUBTYPE]: subtype };
    return new LiveSpan(this.#options.tracer.startSpan(`control ${subtype}`, { kind, attributes }, parent), parent);
  }
}
