import { isJsonObject, type JsonObject } from './json-object.js';

// Answers of qwen-code's CLI, converted to ours.

export function readContextUsage(result: JsonObject): JsonObject {
  if ('total_tokens' in result) return result;
  const { modelName, totalTokens, contextWindowSize, isEstimated } = result;
  return {
    ...result,
    model: modelName,
    total_tokens: totalTokens,
    ...(typeof contextWindowSize === 'number' && { max_tokens: contextWindowSize }),
    is_estimated: isEstimated ?? true,
  };
}

/** The model list, which does not name the current model. */
export function readAvailableModels(result: JsonObject): JsonObject {
  return 'current' in result ? result : { ...result, current: '' };
}

/** Usage sums per day, with models as a list; leaves the session unnamed. */
export function readUsageInfo(result: JsonObject): JsonObject {
  const { models, session_id: sessionId = '', turns = 0 } = result;
  if (!Array.isArray(models)) return result;
  const rows = models.filter(isJsonObject).map(({ model, requests = 0, inputTokens = 0, outputTokens = 0 }) => {
    return [model, { calls: requests, input_tokens: inputTokens, output_tokens: outputTokens }];
  });
  return { ...result, session_id: sessionId, turns, models: Object.fromEntries(rows) };
}
