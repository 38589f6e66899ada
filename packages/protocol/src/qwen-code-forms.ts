import { isJsonObject, type JsonObject } from './json-object.js';

// How the CLI of qwen-code answers what our agents answer in other words: read, and told beside our own.

/** Its fill of the window, as ours. */
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

/** Its list of models, which does not say which one is in use. */
export function readAvailableModels(result: JsonObject): JsonObject {
  return 'current' in result ? result : { ...result, current: '' };
}

/** Its usage tells sums of days, and models as a list: the list becomes ours, and the session stays unnamed. */
export function readUsageInfo(result: JsonObject): JsonObject {
  const { models, session_id: sessionId = '', turns = 0 } = result;
  if (!Array.isArray(models)) return result;
  const rows = models.filter(isJsonObject).map(({ model, requests = 0, inputTokens = 0, outputTokens = 0 }) => {
    return [model, { calls: requests, input_tokens: inputTokens, output_tokens: outputTokens }];
  });
  return { ...result, session_id: sessionId, turns, models: Object.fromEntries(rows) };
}
