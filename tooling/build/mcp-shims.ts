/** Replaces a part of the MCP client library that would load its copy of Ajv at once; our client brings a validator. */
export const CORS_IS_POSSIBLE = false;

export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('The MCP client was created without a validator.');
  }
}
