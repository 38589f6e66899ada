import {
  assistantMessageSchema,
  partialAssistantMessageSchema,
  resultMessageSchema,
  type SDKAssistantMessage,
  type SDKPartialAssistantMessage,
  type SDKResultMessage,
  type SDKSystemMessage,
  type SDKUserMessage,
  systemMessageSchema,
  userMessageSchema,
} from '@qwen/protocol';

// For values of unknown origin. Messages of a query are validated: check their `type`.

/** Whether this is a prompt or tool results. Never throws. */
export function isSDKUserMessage(value: unknown): value is SDKUserMessage {
  return userMessageSchema.safeParse(value).success;
}

/** Whether this is a complete answer of the model. Never throws. */
export function isSDKAssistantMessage(value: unknown): value is SDKAssistantMessage {
  return assistantMessageSchema.safeParse(value).success;
}

/** Whether this is a session event. Never throws. */
export function isSDKSystemMessage(value: unknown): value is SDKSystemMessage {
  return systemMessageSchema.safeParse(value).success;
}

/** Whether this is the result of a turn. Never throws. */
export function isSDKResultMessage(value: unknown): value is SDKResultMessage {
  return resultMessageSchema.safeParse(value).success;
}

/** Whether this is a partial answer. Never throws. */
export function isSDKPartialAssistantMessage(value: unknown): value is SDKPartialAssistantMessage {
  return partialAssistantMessageSchema.safeParse(value).success;
}
