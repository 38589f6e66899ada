import type { Attributes, Histogram, Meter } from '@opentelemetry/api';
import type { Usage } from '@qwen/protocol';
import { ERROR_TYPE, TOKEN_TYPE } from './attributes.js';

/** Buckets of the conventions, in seconds. */
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKENS = Array.from({ length: 14 }, (_, power) => 4 ** power);

export interface Measured {
  readonly seconds: number;
  readonly attributes: Attributes;
  /** A code; undefined after success. */
  readonly error?: string | undefined;
}

/** The metrics of the GenAI conventions. */
export class AgentMetrics {
  readonly #meter: Meter;
  readonly #calls: Histogram;
  readonly #firstChunks: Histogram;
  readonly #tokens: Histogram;
  readonly #tools: Histogram;
  readonly #turns: Histogram;

  constructor(meter: Meter) {
    this.#meter = meter;
    this.#calls = this.#seconds('gen_ai.client.operation.duration', 'Duration of a model call');
    this.#firstChunks = this.#seconds('gen_ai.client.operation.time_to_first_chunk', 'Time to the first chunk');
    this.#tools = this.#seconds('gen_ai.execute_tool.duration', 'Duration of a tool call');
    this.#turns = this.#seconds('gen_ai.invoke_agent.duration', 'Duration of a prompt');
    this.#tokens = meter.createHistogram('gen_ai.client.token.usage', {
      description: 'Tokens of a model call',
      unit: '{token}',
      advice: { explicitBucketBoundaries: TOKENS },
    });
  }

  recordCall(call: Measured): void {
    record(this.#calls, call);
  }

  recordFirstChunk(call: Measured): void {
    record(this.#firstChunks, call);
  }

  recordTokens({ input_tokens: input, output_tokens: output }: Usage, attributes: Attributes): void {
    this.#tokens.record(input, { ...attributes, [TOKEN_TYPE]: 'input' });
    this.#tokens.record(output, { ...attributes, [TOKEN_TYPE]: 'output' });
  }

  recordTool(call: Measured): void {
    record(this.#tools, call);
  }

  recordTurn(turn: Measured): void {
    record(this.#turns, turn);
  }

  #seconds(name: string, description: string): Histogram {
    return this.#meter.createHistogram(name, {
      description,
      unit: 's',
      advice: { explicitBucketBoundaries: SECONDS },
    });
  }
}

function record(histogram: Histogram, { seconds, attributes, error }: Measured): void {
  histogram.record(seconds, { ...attributes, ...(error !== undefined && { [ERROR_TYPE]: error }) });
}
