export type { ModelClock } from './clock.js';
export type { ModelConfig, ModelFamily } from './config.js';
export { createModel, listModels } from './create-model.js';
export { type EffortStatus, effortStatus } from './effort.js';
export type { ListedModel } from './http/model-list.js';
export { type ProxyRules, proxyRoute } from './http/proxy.js';
export { DEFAULT_MODEL_LIMITS, type Model, type ModelLimits, type StreamOptions } from './model.js';
export type {
  AssistantPart,
  FinishReason,
  ModelMessage,
  ModelPart,
  ModelRequest,
  ToolDeclaration,
  ToolResultPart,
  UserPart,
} from './parts.js';
