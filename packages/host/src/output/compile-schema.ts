import type { OutputSchema } from '@qwen/agent';
import { AgentError } from '@qwen/protocol';
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** As many problems of one value as a model can make use of. */
const MAX_PROBLEMS = 10;
const OPTIONS: Options = {
  allErrors: true,
  // Words that we do not know, such as those of OpenAPI, change nothing.
  strict: false,
  // As the specification has it: a format says what is meant, it does not refuse.
  validateFormats: false,
  logger: false,
};

/**
 * A JSON Schema of draft 2020-12, or of draft 7 where `$schema` says so, as something that values are held against.
 * Throws `invalid_payload` that says where the schema is wrong. Nothing is fetched: a reference must be to the schema
 * itself.
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
  return new AgentError('invalid_payload', `outputSchema: ${problem}`);
}

/** The place and what is wrong there, with the words that a model needs to do better. */
function describe({ instancePath, message = 'does not fit', params }: ErrorObject): string {
  const details = Object.entries(params)
    .filter(([name]) => name === 'additionalProperty' || name === 'allowedValues' || name === 'unevaluatedProperty')
    .map(([, value]) => JSON.stringify(value));
  const place = instancePath === '' ? 'the value' : instancePath;
  return [`${place} ${message}`, ...details].join(' ');
}
