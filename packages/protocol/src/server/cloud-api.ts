import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';
import { IDEMPOTENCY_KEY, isoTimeField, NO_SESSION, TOO_MANY_READERS } from './chat-api-fields.js';
import {
  type CloudRoute,
  cloudSessionSchema,
  cloudThreadSchema,
  cloudVerdictSchema,
  eventPageQuery,
  inputEventSchema,
  listOf,
  newCloudSessionSchema,
  noBody,
  noQuery,
  pageQuery,
  streamQuery,
} from './cloud-api-fields.js';
import { publicEventSchema, streamedEventSchema } from './public-events.js';

/** Prefix of the operations of {@link CLOUD_API}. */
export const CLOUD_PATH = '/api/v1/cloud';

const NO_THREAD = 'The session or the thread does not exist.';
const BAD_PLACE = 'The session has no such event.';
const LAST_ID = 'ID of the last event that the client has. Default: only new events.';
const BAD_LAST_ID = 'The session has no event with this Last-Event-ID.';

const eventList = lazySchema(() =>
  z.extend(listOf(publicEventSchema), {
    evicted: z.optional(
      z
        .object({ from_id: z.string(), to_id: z.string() })
        .check(z.describe('Events before this page that are no longer stored.')),
    ),
  }),
);

/**
 * The table of the cloud API, by method and path below {@link CLOUD_PATH}. Handler types, validation and
 * descriptions derive from it.
 */
export const CLOUD_API = {
  'POST /sessions': {
    scope: 'write',
    meaning: 'Creates a session.',
    query: noQuery,
    request: newCloudSessionSchema,
    response: cloudSessionSchema,
    failures: {},
  },
  'GET /sessions': {
    scope: 'read',
    meaning: 'Lists the sessions that the token can see, newest first.',
    query: pageQuery,
    request: noBody,
    response: lazySchema(() => listOf(cloudSessionSchema)),
    failures: { 404: 'The session after_id does not exist.' },
  },
  'GET /sessions/{session_id}': {
    scope: 'read',
    meaning: 'Returns a session.',
    query: noQuery,
    request: noBody,
    response: cloudSessionSchema,
    failures: { 404: NO_SESSION },
  },
  'DELETE /sessions/{session_id}': {
    scope: 'write',
    meaning: 'Stops the running turn of a session and deletes the session.',
    query: noQuery,
    request: noBody,
    response: lazySchema(() => z.object({ type: z.literal('session_deleted'), id: z.string() })),
    failures: { 404: NO_SESSION },
  },
  'POST /sessions/{session_id}/events': {
    scope: 'write',
    meaning:
      'Sends events to a session, in order, up to the first that is refused. A message waits until the running turn has ended, unless its `priority` lets that turn take it.',
    query: noQuery,
    request: lazySchema(() => z.object({ events: z.array(inputEventSchema).check(z.minLength(1), z.maxLength(100)) })),
    response: lazySchema(() => z.object({ data: z.array(publicEventSchema) })),
    headers: { 'Idempotency-Key': IDEMPOTENCY_KEY },
    failures: { 404: NO_SESSION, 429: 'Too many messages are waiting.' },
  },
  'GET /sessions/{session_id}/events': {
    scope: 'read',
    meaning: 'Returns a page of the events of a session, oldest first.',
    query: eventPageQuery,
    request: noBody,
    response: eventList,
    failures: { 400: BAD_PLACE, 404: NO_SESSION },
  },
  'GET /sessions/{session_id}/events/stream': {
    scope: 'read',
    meaning: 'Streams new events of a session, across turns. With the header `Last-Event-ID`, starts after that event.',
    query: streamQuery,
    request: noBody,
    response: streamedEventSchema,
    form: 'event-stream',
    headers: { 'Last-Event-ID': LAST_ID },
    failures: { 400: BAD_LAST_ID, 429: TOO_MANY_READERS, 404: NO_SESSION },
  },
  'POST /sessions/{session_id}/stream_tickets': {
    scope: 'read',
    meaning:
      'Creates a ticket for the streams of a session, for the query of their URL. It can be used repeatedly until it expires after ten minutes.',
    query: noQuery,
    request: lazySchema(() => z.object({})),
    response: lazySchema(() => z.object({ ticket: z.string(), expires_at: isoTimeField })),
    failures: { 404: NO_SESSION },
  },
  'GET /sessions/{session_id}/threads': {
    scope: 'read',
    meaning: 'Lists the threads of a session: the main one, then one per subagent run.',
    query: pageQuery,
    request: noBody,
    response: lazySchema(() => listOf(cloudThreadSchema)),
    failures: { 404: NO_THREAD },
  },
  'GET /sessions/{session_id}/threads/{thread_id}/events': {
    scope: 'read',
    meaning: 'Returns a page of the events of a thread, oldest first.',
    query: eventPageQuery,
    request: noBody,
    response: eventList,
    failures: { 400: BAD_PLACE, 404: NO_THREAD },
  },
  'GET /sessions/{session_id}/threads/{thread_id}/stream': {
    scope: 'read',
    meaning: 'Streams new events of a thread, like the stream of its session.',
    query: streamQuery,
    request: noBody,
    response: streamedEventSchema,
    form: 'event-stream',
    headers: { 'Last-Event-ID': LAST_ID },
    failures: { 400: BAD_LAST_ID, 429: TOO_MANY_READERS, 404: NO_THREAD },
  },
  'POST /sessions/{session_id}/approvals/{approval_id}': {
    scope: 'approve',
    meaning: 'Answers an `approval.requested`. The first answer applies; without an answer, the call is denied.',
    query: noQuery,
    request: cloudVerdictSchema,
    response: lazySchema(() => z.object({ id: z.string(), behavior: z.enum(['allow', 'deny']) })),
    failures: { 404: 'The question does not exist or is already settled.' },
  },
} as const satisfies Record<string, CloudRoute>;

export type CloudOperation = keyof typeof CLOUD_API;
export type CloudQuery<Operation extends CloudOperation> = z.output<(typeof CLOUD_API)[Operation]['query']>;
export type CloudRequest<Operation extends CloudOperation> = z.output<(typeof CLOUD_API)[Operation]['request']>;
export type CloudResponse<Operation extends CloudOperation> = z.output<(typeof CLOUD_API)[Operation]['response']>;
