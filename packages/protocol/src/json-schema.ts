import * as z from 'zod/mini';
import { MESSAGE_SCHEMAS } from './agent-messages.js';
import { CONTROL_REQUESTS, type ControlRequestSpec } from './control-requests.js';
import { wireErrorSchema } from './errors.js';
import { isJsonObject } from './json-object.js';
import { bareSchema, describeDocument, type JsonSchema, toDocument } from './json-schema-document.js';
import { sessionRecordSchema } from './session-records.js';
import { createSettingsSchema } from './settings-document.js';
import { traceContextSchema } from './trace-context.js';

export { bareSchema, type JsonSchema } from './json-schema-document.js';
export { createIpcSchemas } from './openai/json-schemas.js';
export { createOpenApi } from './server/open-api.js';

/**
 * JSON Schemas of the sdk dialect, session files and settings, by document name. Unknown members are allowed and
 * unknown kinds must be ignored.
 */
export function createJsonSchemas(): ReadonlyMap<string, JsonSchema> {
  const documents = new Map<string, JsonSchema>();
  for (const [type, schema] of Object.entries(MESSAGE_SCHEMAS)) {
    documents.set(`message.${type}`, toDocument(`A line with type ${type}`, schema));
  }
  const requestLines: JsonSchema[] = [];
  for (const [subtype, spec] of Object.entries<ControlRequestSpec>(CONTROL_REQUESTS)) {
    const payload = bareSchema(spec.payload);
    documents.set(`control.${subtype}.payload`, describeDocument(`Payload of ${subtype}`, payload, spec.meaning));
    documents.set(`control.${subtype}.result`, toDocument(`Result of ${subtype}`, spec.result, spec.meaning));
    requestLines.push(withSubtype(subtype, payload));
  }
  documents.set('control_request', describeDocument('A control request line', toRequestLine(requestLines)));
  documents.set('control_response', toDocument('A control response line', responseLineSchema));
  documents.set('control_cancel_request', toDocument('Withdraws a control request', cancelLineSchema));
  documents.set('session_record', toDocument('A line of a session file', sessionRecordSchema));
  documents.set('settings', createSettingsSchema());
  return documents;
}

const responseLineSchema = z.looseObject({
  type: z.literal('control_response'),
  response: z.discriminatedUnion('subtype', [
    z.looseObject({ subtype: z.literal('success'), request_id: z.string(), response: z.unknown() }),
    z.looseObject({
      subtype: z.literal('error'),
      request_id: z.string(),
      error: z.union([z.string(), wireErrorSchema]),
    }),
  ]),
});

const cancelLineSchema = z.looseObject({
  type: z.literal('control_cancel_request'),
  request_id: z.optional(z.string()),
});

function toRequestLine(requests: readonly JsonSchema[]): JsonSchema {
  return {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'control_request' },
      request_id: { type: 'string' },
      request: { oneOf: requests },
      trace_context: bareSchema(traceContextSchema),
    },
    required: ['type', 'request_id', 'request'],
    additionalProperties: {},
  };
}

/** On the wire, payload members are next to the subtype. */
function withSubtype(subtype: string, payload: JsonSchema): JsonSchema {
  const { properties, required } = payload;
  return {
    ...payload,
    properties: { subtype: { type: 'string', const: subtype }, ...(isJsonObject(properties) && properties) },
    required: ['subtype', ...(Array.isArray(required) ? required : [])],
  };
}
