import {
  type AnySchema,
  getParseErrorMessage,
  objectFromShape,
  safeParseAsync,
} from '@modelcontextprotocol/sdk/server/zod-compat.js';
import { toJsonSchemaCompat } from '@modelcontextprotocol/sdk/server/zod-json-schema-compat.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import type { JsonSchemaType, JsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';
import { AgentError } from '@qwen/protocol';
import { type InputSchema, isRawShape, isZodSchema, type JsonSchema } from './input-schema.js';

export interface ToolInputReader {
  readonly inputSchema: { type: 'object'; [keyword: string]: unknown };
  /** Includes defaults. Rejects with an error that names the member. */
  readonly parse: (input: unknown) => Promise<unknown>;
}

export type ToInputError = (why: string) => AgentError;

export function readToolInput(schema: InputSchema, toError: ToInputError = invalidInput): ToolInputReader {
  if (isRawShape(schema)) return readZod(objectFromShape(schema as Record<string, AnySchema>), toError);
  if (isZodSchema(schema)) return readZod(schema as AnySchema, toError);
  return readJsonSchema(schema, toError);
}

function readZod(schema: AnySchema, toError: ToInputError): ToolInputReader {
  return {
    inputSchema: { ...toJsonSchemaCompat(schema, { strictUnions: true, pipeStrategy: 'input' }), type: 'object' },
    async parse(input) {
      const parsed = await safeParseAsync(schema, input);
      if (parsed.success) return parsed.data;
      throw toError(getParseErrorMessage(parsed.error));
    },
  };
}

function readJsonSchema(schema: JsonSchema, toError: ToInputError): ToolInputReader {
  let validate: JsonSchemaValidator<unknown> | undefined;
  return {
    inputSchema: schema,
    async parse(input) {
      // Compiled on demand: most tools are never called.
      validate ??= new AjvJsonSchemaValidator().getValidator(schema as JsonSchemaType);
      const checked = validate(input);
      if (checked.valid) return checked.data;
      throw toError(checked.errorMessage);
    },
  };
}

function invalidInput(why: string): AgentError {
  return new AgentError('invalid_tool_input', `Invalid arguments: ${why}`);
}
