import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';
import { NO_SESSION } from './chat-api-words.js';
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
} from './cloud-api-words.js';
import { publicEventSchema } from './public-events.js';

/** Prefix of the operations of {@link CLOUD_API}. */
export const CLOUD_PATH = '/api/v1/cloud';

const NO_THREAD = `${NO_SESSION} Or it has no such thread.`;
const BAD_PLACE = 'There is no such place in the session.';
const BAD_LAST_ID = 'The session has no event with this Last-Event-ID.';

const eventList = lazySchema(() =>
  z.extend(listOf(publicEventSchema), {
    evicted: z.optional(
      z
        .object({ from_id: z.string(), to_id: z.string() })
        .check(z.describe('What should stand before this page and is no longer kept.')),
    ),
  }),
);

/**
 * The table of the cloud API, by method and path below {@link CLOUD_PATH}. Handler types, validation and
 * descriptions derive from it.
 */
export const CLOUD_API = {
  'POST /sessions': {
    meaning: 'Makes a session.',
    query: noQuery,
    request: newCloudSessionSchema,
    answer: cloudSessionSchema,
    failures: {},
  },
  'GET /sessions': {
    meaning: 'All sessions, the newest first.',
    query: pageQuery,
    request: noBody,
    answer: lazySchema(() => listOf(cloudSessionSchema)),
    failures: { 404: 'There is no such session as after_id.' },
  },
  'GET /sessions/{session_id}': {
    meaning: 'Tells about a session.',
    query: noQuery,
    request: noBody,
    answer: cloudSessionSchema,
    failures: { 404: NO_SESSION },
  },
  'DELETE /sessions/{session_id}': {
    meaning: 'Stops what runs in a session and removes it.',
    query: noQuery,
    request: noBody,
    answer: lazySchema(() => z.object({ type: z.literal('session_deleted'), id: z.string() })),
    failures: { 404: NO_SESSION },
  },
  'POST /sessions/{session_id}/events': {
    meaning:
      'Puts events into a session, one after the other; at the first that is refused it stops. A message waits behind the turn that runs.',
    query: noQuery,
    request: lazySchema(() => z.object({ events: z.array(inputEventSchema).check(z.minLength(1), z.maxLength(100)) })),
    answer: lazySchema(() => z.object({ data: z.array(publicEventSchema) })),
    failures: { 404: NO_SESSION, 429: 'Too many messages wait.' },
  },
  'GET /sessions/{session_id}/events': {
    meaning: 'A page of the events of a session, oldest first.',
    query: eventPageQuery,
    request: noBody,
    answer: eventList,
    failures: { 400: BAD_PLACE, 404: NO_SESSION },
  },
  'GET /sessions/{session_id}/events/stream': {
    meaning:
      'The events of a session as they come, over all its turns. With the header Last-Event-ID first those after it.',
    query: noQuery,
    request: noBody,
    answer: publicEventSchema,
    form: 'event-stream',
    failures: { 400: BAD_LAST_ID, 404: NO_SESSION },
  },
  'GET /sessions/{session_id}/threads': {
    meaning: 'The threads of a session: the main one first, then one a subagent run.',
    query: pageQuery,
    request: noBody,
    answer: lazySchema(() => listOf(cloudThreadSchema)),
    failures: { 404: NO_THREAD },
  },
  'GET /sessions/{session_id}/threads/{thread_id}/events': {
    meaning: 'A page of the events of a thread, oldest first.',
    query: eventPageQuery,
    request: noBody,
    answer: eventList,
    failures: { 400: BAD_PLACE, 404: NO_THREAD },
  },
  'GET /sessions/{session_id}/threads/{thread_id}/stream': {
    meaning: 'The events of a thread as they come, like the stream of its session.',
    query: noQuery,
    request: noBody,
    answer: publicEventSchema,
    form: 'event-stream',
    failures: { 400: BAD_LAST_ID, 404: NO_THREAD },
  },
  'POST /sessions/{session_id}/approvals/{approval_id}': {
    meaning: 'Answers the question of an approval.requested. The first answer counts; without one the tool is denied.',
    query: noQuery,
    request: cloudVerdictSchema,
    answer: lazySchema(() => z.object({ id: z.string(), behavior: z.enum(['allow', 'deny']) })),
    failures: { 404: 'There is no such question, or it is settled.' },
  },
} as const satisfies Record<string, CloudRoute>;

export type CloudOperation = keyof typeof CLOUD_API;
export type CloudQuery<Operation extends CloudOperation> = z.output<(typeof CLOUD_API)[Operation]['query']>;
export type CloudRequest<Operation extends CloudOperation> = z.output<(typeof CLOUD_API)[Operation]['request']>;
export type CloudAnswer<Operation extends CloudOperation> = z.output<(typeof CLOUD_API)[Operation]['answer']>;
