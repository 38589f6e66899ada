import { AgentError, type SDKMessage, type SDKResultMessage } from '@qwen/protocol';
import type { OutputSchema } from './mcp/input-schema.js';
import { loadSchemaReader } from './mcp/load-schema-reader.js';
import type { ToolInputReader } from './mcp/tool-input.js';

/**
 * Holds the results of a query against the schema of the app. The CLI does so too; this side knows what JSON Schema
 * cannot say, such as refinements and transforms, and trusts nobody: there is never a false success.
 */
export class StructuredOutput {
  readonly #schema: OutputSchema;
  #reader: Promise<ToolInputReader> | undefined;

  /** Loads nothing yet. */
  constructor(schema: OutputSchema) {
    this.#schema = schema;
  }

  /** The schema for the CLI. Rejects with `invalid_options` when JSON Schema cannot say it. */
  async jsonSchema(): Promise<Record<string, unknown>> {
    try {
      const { inputSchema } = await this.#read();
      return inputSchema;
    } catch (thrown) {
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      throw new AgentError('invalid_options', `options.outputSchema: ${why}`, { cause: thrown });
    }
  }

  /** A success becomes one with the parsed value, or an `invalid_output`; every other message stays as it is. */
  async judge(message: SDKMessage): Promise<SDKMessage> {
    if (message.type !== 'result' || message.is_error || message.subtype !== 'success') return message;
    if (message.structured_output === undefined) return toFailure(message, 'The result has no structured output.');
    try {
      const { parse } = await this.#read();
      return { ...message, structured_output: await parse(message.structured_output) };
    } catch (thrown) {
      return toFailure(message, AgentError.from(thrown).message);
    }
  }

  #read(): Promise<ToolInputReader> {
    this.#reader ??= loadSchemaReader().then((readSchema) => readSchema(this.#schema, toOutputError));
    return this.#reader;
  }
}

function toOutputError(why: string): AgentError {
  return new AgentError('invalid_output', `The answer does not fit options.outputSchema: ${why}`);
}

function toFailure(message: SDKResultMessage, why: string): SDKResultMessage {
  const { structured_output: _value, result: _text, ...rest } = message;
  return { ...rest, subtype: 'error_output_schema', is_error: true, error: { code: 'invalid_output', message: why } };
}
