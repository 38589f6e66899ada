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

/**
 * Whether this is a prompt or tool results. Never throws.
 *
 * @example
 * import { createInterface } from 'node:readline';
 * import { isSDKUserMessage } from '@qwen/sdk';
 *
 * for await (const line of createInterface({ input: process.stdin })) {
 *   const value: unknown = JSON.parse(line);
 *   if (isSDKUserMessage(value)) console.log(value.message.content);
 * }
 */
export function isSDKUserMessage(value: unknown): value is SDKUserMessage {
  return userMessageSchema.safeParse(value).success;
}

/**
 * Whether this is a complete answer of the model. Never throws.
 *
 * @example
 * import { createInterface } from 'node:readline';
 * import { isSDKAssistantMessage } from '@qwen/sdk';
 *
 * for await (const line of createInterface({ input: process.stdin })) {
 *   const value: unknown = JSON.parse(line);
 *   if (isSDKAssistantMessage(value)) console.log(value.message.content);
 * }
 */
export function isSDKAssistantMessage(value: unknown): value is SDKAssistantMessage {
  return assistantMessageSchema.safeParse(value).success;
}

/**
 * Whether this is a session event. Never throws.
 *
 * @example
 * import { createInterface } from 'node:readline';
 * import { isSDKSystemMessage } from '@qwen/sdk';
 *
 * for await (const line of createInterface({ input: process.stdin })) {
 *   const value: unknown = JSON.parse(line);
 *   if (isSDKSystemMessage(value)) console.log(value.subtype);
 * }
 */
export function isSDKSystemMessage(value: unknown): value is SDKSystemMessage {
  return systemMessageSchema.safeParse(value).success;
}

/**
 * Whether this is the result of a turn. Never throws.
 *
 * @example
 * import { createInterface } from 'node:readline';
 * import { isSDKResultMessage } from '@qwen/sdk';
 *
 * for await (const line of createInterface({ input: process.stdin })) {
 *   const value: unknown = JSON.parse(line);
 *   if (isSDKResultMessage(value)) console.log(value.subtype, value.usage);
 * }
 */
export function isSDKResultMessage(value: unknown): value is SDKResultMessage {
  return resultMessageSchema.safeParse(value).success;
}

/**
 * Whether this is a partial answer. Never throws.
 *
 * @example
 * import { createInterface } from 'node:readline';
 * import { isSDKPartialAssistantMessage } from '@qwen/sdk';
 *
 * for await (const line of createInterface({ input: process.stdin })) {
 *   const value: unknown = JSON.parse(line);
 *   if (isSDKPartialAssistantMessage(value)) console.log(value.event);
 * }
 */
export function isSDKPartialAssistantMessage(value: unknown): value is SDKPartialAssistantMessage {
  return partialAssistantMessageSchema.safeParse(value).success;
}
