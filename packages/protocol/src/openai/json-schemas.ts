import * as z from 'zod/mini';
import type { JsonSchema } from '../json-schema-document.js';
import { toDocument } from '../json-schema-document.js';
import { PROTOCOL_VERSION } from '../version.js';
import { annotationSchema } from './annotations.js';
import { chatRequestSchema, messagesRequestSchema } from './chat-request.js';
import { chunkLineSchema, completionLineSchema, fatalErrorLineSchema } from './completion-lines.js';
import { RESULT_LINE_SCHEMAS } from './result-lines.js';
import { TYPED_REQUEST_SCHEMAS } from './typed-requests.js';

interface Kind {
  readonly title: string;
  readonly schema: z.ZodMiniType;
}

/** By document name: lines of the client, then of the program. */
const KINDS: Readonly<Record<string, Kind>> = {
  'qwen-chat-request-schema': {
    title: 'A chat request: a new message, or an OpenAI conversation whose last message is new',
    schema: z.union([chatRequestSchema, messagesRequestSchema]),
  },
  'command-hint-request': {
    title: 'Requests hints while the user types',
    schema: TYPED_REQUEST_SCHEMAS.command_hint_request,
  },
  'command-hint-cancel': { title: 'Cancels a hint request', schema: TYPED_REQUEST_SCHEMAS.command_hint_cancel },
  'heartbeat-request': { title: 'Requests a heartbeat', schema: TYPED_REQUEST_SCHEMAS.heartbeat_request },
  'control-cancel': { title: 'Stops a turn', schema: TYPED_REQUEST_SCHEMAS['control/cancel'] },
  'chat-completion': { title: 'A line of stream-json', schema: completionLineSchema },
  'chat-completion-chunk': { title: 'A line of stream-chunk-json', schema: chunkLineSchema },
  annotation: { title: 'An annotation of a message or delta', schema: annotationSchema },
  'fatal-error': { title: 'A fatal error, the last line of the process', schema: fatalErrorLineSchema },
  'result-command': { title: 'The outcome of a command', schema: RESULT_LINE_SCHEMAS['result/command'] },
  'result-command-hint': {
    title: 'Hints for the typed text',
    schema: RESULT_LINE_SCHEMAS['result/command_hint'],
  },
  'result-heartbeat': { title: 'A heartbeat', schema: RESULT_LINE_SCHEMAS['result/heartbeat'] },
  'result-cancel': { title: 'The outcome of a cancel request', schema: RESULT_LINE_SCHEMAS['result/cancel'] },
  'session-event': {
    title: 'An event of a session',
    schema: RESULT_LINE_SCHEMAS['x-qwen-session-event'],
  },
};

/** JSON Schemas of the openai dialect, by document name. Control lines are in the sdk dialect's documents. */
export function createIpcSchemas(): ReadonlyMap<string, JsonSchema> {
  return new Map(
    Object.entries(KINDS).map(([name, { title, schema }]) => [
      name,
      { ...toDocument(title, schema), 'x-protocol-version': PROTOCOL_VERSION },
    ]),
  );
}
