/** Replaces a part of the MCP libraries that would load their copy of Ajv at once; we bring a validator. */
export const CORS_IS_POSSIBLE = false;

export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('It was created without a validator.');
  }
}

export { default as process } from 'node:process';
