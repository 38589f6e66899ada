import * as z from 'zod/mini';

/** The schema as a provider wants it: without the dialect's address and without closing the object to more members. */
export function printInputSchema(schema: z.ZodMiniType): Readonly<Record<string, unknown>> {
  const printed = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      // zod bounds every integer by what a double can count; that says nothing to a model and costs bytes.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  const { $schema: _dialect, ...rest } = printed;
  return rest;
}
