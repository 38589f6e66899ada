import { AgentError, messageOf, type SDKMessage, type SDKResultError, type SDKResultSuccess } from '@qwen/protocol';
import type { OutputSchema } from '../mcp/input-schema.js';
import type { ToolInputReader } from '../mcp/tool-input.js';

/** The CLI validates with JSON Schema; refinements and transforms run here. */
export class StructuredOutput {
  readonly #schema: OutputSchema;
  #reader: Promise<ToolInputReader> | undefined;

  constructor(schema: OutputSchema) {
    this.#schema = schema;
  }

  /** Rejects with `invalid_options` if JSON Schema cannot express it. */
  async jsonSchema(): Promise<Record<string, unknown>> {
    try {
      const { inputSchema } = await this.#read();
      return inputSchema;
    } catch (thrown) {
      const why = messageOf(thrown);
      throw new AgentError('invalid_options', `options.outputSchema: ${why}`, { cause: thrown });
    }
  }

  /** Parses the value of a success; an invalid one becomes `invalid_output`. */
  async validate(message: SDKMessage): Promise<SDKMessage> {
    if (message.type !== 'result' || message.subtype !== 'success') return message;
    if (message.structured_output === undefined) return toFailure(message, 'The result has no structured output.');
    try {
      const { parse } = await this.#read();
      return { ...message, structured_output: await parse(message.structured_output) };
    } catch (thrown) {
      return toFailure(message, AgentError.from(thrown).message);
    }
  }

  #read(): Promise<ToolInputReader> {
    this.#reader ??= import('../mcp/serve-tools.js').then(({ readToolInput }) =>
      readToolInput(this.#schema, toOutputError),
    );
    return this.#reader;
  }
}

function toOutputError(why: string): AgentError {
  return new AgentError('invalid_output', `The answer does not match options.outputSchema: ${why}`);
}

function toFailure(message: SDKResultSuccess, why: string): SDKResultError {
  const { structured_output: _value, result: _text, ...rest } = message;
  return { ...rest, subtype: 'error_output_schema', is_error: true, error: { code: 'invalid_output', message: why } };
}
