import type { OutputSchema } from '@qwen/agent';
import { AgentError } from '@qwen/protocol';
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

const MAX_PROBLEMS = 10;
const OPTIONS: Options = {
  allErrors: true,
  // Unknown keywords, such as OpenAPI's, have no effect.
  strict: false,
  // Per the specification, formats are annotations.
  validateFormats: false,
  logger: false,
};

/**
 * Compiles a JSON Schema (draft 2020-12, or 7 by `$schema`). Throws `invalid_payload` with the place of the error.
 * Fetches nothing: references must be local.
 */
export function compileOutputSchema(schema: Readonly<Record<string, unknown>>): OutputSchema {
  const validate = compile(schema);
  return {
    schema,
    problemsOf: (value) => (validate(value) ? [] : (validate.errors ?? []).slice(0, MAX_PROBLEMS).map(describe)),
  };
}

function compile(schema: Readonly<Record<string, unknown>>): ValidateFunction {
  const dialect = schema['$schema'];
  const ajv = typeof dialect === 'string' && /draft-0[67]/.test(dialect) ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS);
  try {
    if (ajv.validateSchema(schema) !== true) {
      const [first] = ajv.errors ?? [];
      throw refuse(first === undefined ? 'is not a JSON Schema' : describe(first));
    }
    return ajv.compile(schema);
  } catch (thrown) {
    throw AgentError.is(thrown) ? thrown : refuse(AgentError.from(thrown).message);
  }
}

function refuse(problem: string): AgentError {
  return new AgentError('invalid_payload', `The output schema is invalid: ${problem}`);
}

function describe({ instancePath, message = 'is invalid', params }: ErrorObject): string {
  const details = Object.entries(params)
    .filter(([name]) => name === 'additionalProperty' || name === 'allowedValues' || name === 'unevaluatedProperty')
    .map(([, value]) => JSON.stringify(value));
  const place = instancePath === '' ? 'the value' : instancePath;
  return [`${place} ${message}`, ...details].join(' ');
}
