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
    title: 'A request to chat: what is new, or an OpenAI conversation whose last message is new',
    schema: z.union([chatRequestSchema, messagesRequestSchema]),
  },
  'command-hint-request': {
    title: 'Asks what could be meant while somebody types',
    schema: TYPED_REQUEST_SCHEMAS.command_hint_request,
  },
  'command-hint-cancel': { title: 'Ends a search for hints', schema: TYPED_REQUEST_SCHEMAS.command_hint_cancel },
  'heartbeat-request': { title: 'Asks for a sign of life', schema: TYPED_REQUEST_SCHEMAS.heartbeat_request },
  'control-cancel': { title: 'Stops a turn', schema: TYPED_REQUEST_SCHEMAS['control/cancel'] },
  'chat-completion': { title: 'A line of stream-json', schema: completionLineSchema },
  'chat-completion-chunk': { title: 'A line of stream-chunk-json', schema: chunkLineSchema },
  annotation: { title: 'An annotation of a message or delta', schema: annotationSchema },
  'fatal-error': { title: 'The last line of a process that cannot go on', schema: fatalErrorLineSchema },
  'result-command': { title: 'What came of a command', schema: RESULT_LINE_SCHEMAS['result/command'] },
  'result-command-hint': {
    title: 'What could be meant by what was typed',
    schema: RESULT_LINE_SCHEMAS['result/command_hint'],
  },
  'result-heartbeat': { title: 'A sign of life', schema: RESULT_LINE_SCHEMAS['result/heartbeat'] },
  'result-cancel': { title: 'What came of a cancel', schema: RESULT_LINE_SCHEMAS['result/cancel'] },
  'session-event': {
    title: 'Something about a session as a whole',
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
