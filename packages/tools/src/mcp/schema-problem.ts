import { Ajv, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

const OPTIONS: Options = { allErrors: true, strict: false, validateSchema: false, logger: false };

/** Describes why the schema rejects the value. Fetches nothing; a schema that cannot be compiled accepts everything. */
export function schemaProblem(schema: Readonly<Record<string, unknown>>, value: unknown): string | undefined {
  const { $schema: dialect } = schema;
  const ajv = typeof dialect === 'string' && /draft-0[67]/.test(dialect) ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS);
  formats.default(ajv);
  try {
    const validate = ajv.compile(schema);
    return validate(value) ? undefined : ajv.errorsText(validate.errors);
  } catch {
    return undefined;
  }
}
