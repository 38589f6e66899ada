// What `qwen serve` says over HTTP: an entry of its own, so that programs that do not speak it do not load it.
export { seqOfEventId, toEventId } from './server/event-id.js';
export { type Fragment, type IncrementType, isIncrementType } from './server/increments.js';
export {
  APPROVAL_SOURCES,
  type ApprovalSource,
  EVENT_SCHEMAS,
  type EventEnvelope,
  eventEnvelopeSchema,
  type PublicEvent,
  type PublicEventBody,
  type PublicEventBodyOf,
  type PublicEventType,
  publicEventSchema,
  TURN_OUTCOMES,
  type TurnOutcome,
} from './server/public-events.js';
