import * as z from 'zod/mini';

export type JsonSchema = Readonly<Record<string, unknown>>;

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

export function toDocument(title: string, schema: z.ZodMiniType, description?: string): JsonSchema {
  return describeDocument(title, bareSchema(schema), description);
}

export function describeDocument(title: string, schema: JsonSchema, description?: string): JsonSchema {
  return { $schema: DRAFT, title, ...(description !== undefined && { description }), ...schema };
}

export function bareSchema(schema: z.ZodMiniType): JsonSchema {
  const { $schema: _draft, ...members } = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' });
  return members;
}
