export { createQwen, type QwenProvider, type QwenProviderOptions } from './create-qwen.js';
export type { QwenLanguageModel } from './language-model.js';
export {
  type QwenMessageMetadata,
  type QwenUIMessageChunk,
  toUIMessageStream,
  type UIMessageStreamOptions,
} from './ui-message-stream.js';
