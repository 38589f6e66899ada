// The HTTP API of `qwen serve`. A separate entry, so that other programs do not load it.
export { CHAT_API, type ChatPath, type ChatRequest, type ChatResponse } from './server/chat-api.js';
export { COMMAND_KINDS } from './server/chat-api-commands.js';
export {
  type ChatError,
  type ChatRoute,
  chatErrorSchema,
  type QuestionPolicy,
  questionPolicySchema,
} from './server/chat-api-fields.js';
export { CHAT_EVENT_SCHEMAS, type ChatEvent, chatEventSchema } from './server/chat-events.js';
export {
  CLOUD_API,
  CLOUD_PATH,
  type CloudOperation,
  type CloudQuery,
  type CloudRequest,
  type CloudResponse,
} from './server/cloud-api.js';
export {
  type CloudError,
  type CloudRoute,
  type CloudSession,
  type CloudThread,
  cloudErrorSchema,
} from './server/cloud-api-fields.js';
export { seqOfEventId, toEventId } from './server/event-id.js';
export { type Fragment, type IncrementType, isIncrementType } from './server/increments.js';
export { PAGE_API, type PagePath, type PageRequest, type PageResponse } from './server/page-api.js';
export {
  APPROVAL_SOURCES,
  type ApprovalSource,
  EVENT_SCHEMAS,
  type EventEnvelope,
  eventBodySchema,
  eventEnvelopeSchema,
  type PublicEvent,
  type PublicEventBody,
  type PublicEventBodyOf,
  type PublicEventType,
  publicEventSchema,
  TURN_OUTCOMES,
  type TurnOutcome,
} from './server/public-events.js';
export {
  isRemoteArgument,
  REMOTE_PATH,
  type RemoteExit,
  type RemoteLines,
  type RemoteStart,
  type RemoteStarted,
  remoteExitSchema,
  remoteLinesSchema,
  remoteReceivedSchema,
  remoteStartedSchema,
  remoteStartSchema,
  remoteTakenSchema,
} from './server/remote.js';
export { type RunningServer, runningServerSchema } from './server/running-server.js';
export { type TokenScope, tokenScopeSchema } from './server/token-scopes.js';
