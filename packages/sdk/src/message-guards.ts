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

// For values of unknown origin. Messages of a query are checked already: there `message.type` is enough.

/** Whether this is a prompt or the results of tools. Never throws. */
export function isSDKUserMessage(value: unknown): value is SDKUserMessage {
  return userMessageSchema.safeParse(value).success;
}

/** Whether this is one whole answer of the model. Never throws. */
export function isSDKAssistantMessage(value: unknown): value is SDKAssistantMessage {
  return assistantMessageSchema.safeParse(value).success;
}

/** Whether this is news about the session. Never throws. */
export function isSDKSystemMessage(value: unknown): value is SDKSystemMessage {
  return systemMessageSchema.safeParse(value).success;
}

/** Whether this closes a turn. Never throws. */
export function isSDKResultMessage(value: unknown): value is SDKResultMessage {
  return resultMessageSchema.safeParse(value).success;
}

/** Whether this is a piece of an answer. Never throws. */
export function isSDKPartialAssistantMessage(value: unknown): value is SDKPartialAssistantMessage {
  return partialAssistantMessageSchema.safeParse(value).success;
}
