import type { ControlResult } from '@qwen/protocol';

/** The provider's models and the current one. */
export type AvailableModels = ControlResult<'get_available_models'>;
/** One model of the provider. */
export type ModelInfo = AvailableModels['models'][number] & {
  /** Names of `id` and `name` in the Claude Agent SDK. */
  readonly value: string;
  readonly displayName: string;
  readonly description: string;
};

export function toModelInfo(model: AvailableModels['models'][number]): ModelInfo {
  const { id, name = id, context_window: window } = model;
  const description = window === undefined ? name : `${name}, ${window} tokens`;
  return { ...model, value: id, displayName: name, description };
}
