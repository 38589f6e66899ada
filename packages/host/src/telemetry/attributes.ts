import type { Usage } from '@qwen/protocol';

// Names of OpenTelemetry's GenAI conventions, or `qwen.` names. Without the switch for content, no attribute contains
// text of users, models, tools or errors.

/** Agent, conversation and operation. */
export const OPERATION = 'gen_ai.operation.name';
export const AGENT_NAME = 'gen_ai.agent.name';
export const CONVERSATION_ID = 'gen_ai.conversation.id';
export const PROVIDER = 'gen_ai.provider.name';
export const AGENT_VERSION = 'gen_ai.agent.version';
export const REQUEST_MODEL = 'gen_ai.request.model';
export const REQUEST_STREAM = 'gen_ai.request.stream';
export const FIRST_CHUNK = 'gen_ai.response.time_to_first_chunk';
export const COMPACTED = 'gen_ai.conversation.compacted';
export const TOKEN_TYPE = 'gen_ai.token.type';
export const RESPONSE_MODEL = 'gen_ai.response.model';
export const RESPONSE_ID = 'gen_ai.response.id';
export const FINISH_REASONS = 'gen_ai.response.finish_reasons';
export const TOOL_NAME = 'gen_ai.tool.name';
export const TOOL_CALL_ID = 'gen_ai.tool.call.id';
export const TOOL_TYPE = 'gen_ai.tool.type';
export const SERVER_ADDRESS = 'server.address';
export const SERVER_PORT = 'server.port';
/** The code of an `AgentError`. */
export const ERROR_TYPE = 'error.type';

export const TURN_ID = 'qwen.turn.id';
export const TURN_OUTCOME = 'qwen.turn.outcome';
export const TURN_MODEL_CALLS = 'qwen.turn.model_calls';
export const TOOL_KIND = 'qwen.tool.kind';
export const TOOL_STATUS = 'qwen.tool.status';
export const TOOL_DENIED = 'qwen.tool.denied';
export const CONTROL_SUBTYPE = 'qwen.control.subtype';

export function usageAttributes(usage: Usage): Record<string, number> {
  const { cache_read_input_tokens: cached, cache_creation_input_tokens: created, reasoning_output_tokens } = usage;
  return {
    'gen_ai.usage.input_tokens': usage.input_tokens,
    'gen_ai.usage.output_tokens': usage.output_tokens,
    ...(cached !== undefined && { 'gen_ai.usage.cache_read.input_tokens': cached }),
    // The second name is the older one.
    ...(created !== undefined && {
      'gen_ai.usage.cache_write.input_tokens': created,
      'gen_ai.usage.cache_creation.input_tokens': created,
    }),
    ...(reasoning_output_tokens !== undefined && {
      'gen_ai.usage.reasoning.output_tokens': reasoning_output_tokens,
    }),
  };
}
