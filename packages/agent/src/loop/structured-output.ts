import { AgentError, parseJson } from '@qwen/protocol';
import type { OutputSchema } from '../ports.js';
import type { AnyTool } from '../tool.js';

export const OUTPUT_TOOL_NAME = 'structured_output';

/** Invalid or missing outputs before the turn fails. */
const MAX_CORRECTIONS = 3;

const REMINDER = `Give your final answer by calling the tool ${OUTPUT_TOOL_NAME}; other text is not read.`;

/** Models wrap JSON in a code block. */
const CODE_BLOCK = /^```(?:json)?\n(.*)\n```$/s;

/**
 * The output that a prompt requires: a tool for the model and a limit of corrections. Only a valid value becomes the
 * output.
 */
export class StructuredOutput {
  readonly tool: AnyTool;
  readonly #schema: OutputSchema;
  readonly #isWrapped: boolean;
  #value: unknown;
  #corrections = 0;

  constructor(schema: OutputSchema) {
    this.#schema = schema;
    this.#isWrapped = schema.schema['type'] !== 'object';
    this.tool = {
      name: OUTPUT_TOOL_NAME,
      aliases: [],
      description: 'Submits the final answer. Call it once, after everything else.',
      inputSchema: this.#isWrapped ? wrap(schema.schema) : schema.schema,
      kind: 'read',
      parse: (input) => this.#parse(input),
      paths: () => [],
      execute: async (input) => {
        this.#value = input;
        return { content: 'Answer accepted.' };
      },
    };
  }

  get value(): unknown {
    return this.#value;
  }

  get failure(): AgentError | undefined {
    if (this.#value !== undefined || this.#corrections <= MAX_CORRECTIONS) return undefined;
    return new AgentError('invalid_output', 'The model gave no answer that matches the output schema.', {
      data: { corrections: MAX_CORRECTIONS },
    });
  }

  /**
   * The reminder for a model that stopped without calling the tool. Text that is the JSON of a valid value becomes the
   * output.
   */
  remind(text: string): string | undefined {
    if (this.#value !== undefined) return undefined;
    const trimmed = text.trim();
    const value = parseJson(CODE_BLOCK.exec(trimmed)?.[1] ?? trimmed);
    const problems = value === undefined ? [] : this.#schema.problemsOf(value);
    if (value !== undefined && problems.length === 0) {
      this.#value = value;
      return undefined;
    }
    this.#corrections += 1;
    return problems.length === 0 ? REMINDER : `${mismatch(problems)}\n${REMINDER}`;
  }

  #parse(input: unknown): unknown {
    const value = this.#isWrapped ? unwrap(input) : input;
    const problems = value === undefined ? ['value: is missing'] : this.#schema.problemsOf(value);
    if (problems.length === 0) return value;
    this.#corrections += 1;
    throw new AgentError('invalid_tool_input', mismatch(problems));
  }
}

function mismatch(problems: readonly string[]): string {
  return `The answer does not match its schema:\n${problems.join('\n')}`;
}

/** Tool inputs must be objects. Definitions stay at the root for references. */
function wrap(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { $defs, definitions, ...value } = schema;
  return {
    type: 'object',
    properties: { value },
    required: ['value'],
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  };
}

function unwrap(input: unknown): unknown {
  return typeof input === 'object' && input !== null && 'value' in input ? input.value : undefined;
}
