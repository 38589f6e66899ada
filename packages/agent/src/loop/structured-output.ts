import { AgentError } from '@qwen/protocol';
import type { OutputSchema } from '../ports.js';
import type { AnyTool } from '../tool.js';

export const OUTPUT_TOOL_NAME = 'structured_output';

/** How often a model may be told what is wrong with its output, or that there is none, before we give up. */
const MAX_CORRECTIONS = 3;

/** What the model reads when it is quiet without having given its output. */
const REMINDER = `Give your final answer by calling the tool ${OUTPUT_TOOL_NAME}; text alone is not read.`;

/**
 * The output that one prompt must have: a tool that the model calls with it, and the count of tries. Only a value that
 * fits the schema ever becomes the output.
 */
export class StructuredOutput {
  /** The tool to offer to the model beside the others. */
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
      description: 'Gives the final answer. Call it once, when everything else is done.',
      inputSchema: this.#isWrapped ? wrap(schema.schema) : schema.schema,
      kind: 'read',
      parse: (input) => this.#parse(input),
      paths: () => [],
      execute: async (input) => {
        this.#value = input;
        return { content: 'The answer was taken.' };
      },
    };
  }

  /** The output; undefined until there is one. */
  get value(): unknown {
    return this.#value;
  }

  /** Why there will be none; undefined while the model may still try. */
  get failure(): AgentError | undefined {
    if (this.#value !== undefined || this.#corrections <= MAX_CORRECTIONS) return undefined;
    return new AgentError('invalid_output', 'The model gave no answer that fits the output schema.', {
      data: { corrections: MAX_CORRECTIONS },
    });
  }

  /** What to tell a model that was quiet without having given its output; undefined when it has. */
  remind(): string | undefined {
    if (this.#value !== undefined) return undefined;
    this.#corrections += 1;
    return REMINDER;
  }

  #parse(input: unknown): unknown {
    const value = this.#isWrapped ? unwrap(input) : input;
    const problems = value === undefined ? ['value: is missing'] : this.#schema.problemsOf(value);
    if (problems.length === 0) return value;
    this.#corrections += 1;
    throw new AgentError('invalid_tool_input', `The answer does not fit its schema:\n${problems.join('\n')}`);
  }
}

/** Providers take only objects as the input of a tool. Definitions stay at the root, where references look for them. */
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
