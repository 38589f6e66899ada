import {
  AbortError,
  type APIAssistantMessage,
  type APIUserMessage,
  type AuthType,
  type CanUseTool,
  type CLIMcpServerConfig,
  type CLIPermissionDenial,
  type ContentBlock,
  type ContentBlockDelta,
  type ContentBlockDeltaEvent,
  createSdkMcpServer,
  type EffortStatus,
  type EffortTier,
  type ExtendedUsage,
  isAbortError,
  isControlCancel,
  isControlRequest,
  isControlResponse,
  isSDKAssistantMessage,
  isSDKPartialAssistantMessage,
  isSDKResultMessage,
  isSDKSystemMessage,
  isSDKUserMessage,
  isSdkMcpServerConfig,
  type LoggerConfig,
  type LogLevel,
  type McpServerConfig,
  PERMISSION_MODES,
  type PermissionMode,
  type PermissionResult,
  type PermissionSuggestion,
  type Query,
  type QueryOptions,
  type QuerySystemPrompt,
  type QuerySystemPromptPreset,
  query,
  type RunConfig,
  type ScopedLogger,
  type SDKMessage,
  type SDKResultMessageError,
  type SDKResultMessageSuccess,
  type SDKUserMessage,
  SdkLogger,
  type StreamEvent,
  type SubagentConfig,
  type SubagentLevel,
  type TextBlock,
  type ToolInput,
  type ToolResultBlock,
  type ToolUseBlock,
  tool,
  type Usage,
} from '@qwen-code/sdk';
import { z } from 'zod3';

// An app of @qwen-code/sdk. The tests also compile it with the import changed, and nothing else.

const level: LogLevel = 'warn';
const loggerConfig: LoggerConfig = { debug: false, logLevel: level, stderr: (message: string) => void message };
SdkLogger.configure(loggerConfig);
const logger: ScopedLogger = SdkLogger.createLogger('App');
logger.info(SdkLogger.getEffectiveLevel(), PERMISSION_MODES.join());

const calculator = createSdkMcpServer({
  name: 'calculator',
  version: '1.0.0',
  tools: [
    tool('sum', 'Adds.', { a: z.number(), b: z.number() }, async ({ a, b }) => ({
      content: [{ type: 'text', text: String(a + b) }],
    })),
  ],
});

const canUseTool: CanUseTool = async (toolName, input, { signal, suggestions }): Promise<PermissionResult> => {
  const labels: string[] = (suggestions ?? []).map(({ label }: PermissionSuggestion) => label);
  if (signal.aborted || labels.length === 0) return { behavior: 'deny', message: toolName, interrupt: true };
  const updatedInput: ToolInput = { ...input };
  return { behavior: 'allow', updatedInput };
};

const preset: QuerySystemPromptPreset = { type: 'preset', preset: 'qwen_code', append: 'Be brief.' };
const systemPrompt: QuerySystemPrompt = preset;
const runConfig: RunConfig = { max_turns: 5, max_time_minutes: 1 };
const sessionLevel: SubagentLevel = 'session';
const agent: SubagentConfig = {
  name: 'reviewer',
  description: 'Reviews.',
  systemPrompt: 'You review.',
  level: sessionLevel,
  tools: ['read_file'],
  model: 'inherit',
  runConfig,
  color: 'blue',
  isBuiltin: false,
};
const files: CLIMcpServerConfig = {
  command: 'mcp-server-files',
  args: ['.'],
  env: { A: 'b' },
  cwd: '/',
  timeout: 1_000,
  trust: true,
  includeTools: ['read'],
  excludeTools: ['write'],
  oauth: { enabled: true, scopes: ['read'] },
};
const mcpServers: Record<string, McpServerConfig> = { calculator, files, web: { httpUrl: 'http://127.0.0.1:9/mcp' } };
const authType: AuthType = 'openai';
const effort: EffortTier = 'high';
const permissionMode = 'default' satisfies PermissionMode;

export const options: QueryOptions = {
  cwd: '/',
  model: 'qwen',
  pathToQwenExecutable: 'qwen',
  env: { A: 'b' },
  systemPrompt,
  permissionMode,
  canUseTool,
  mcpServers,
  abortController: new AbortController(),
  debug: true,
  stderr: (message: string) => void message,
  logLevel: 'debug',
  maxSessionTurns: -1,
  coreTools: ['read_file'],
  excludeTools: ['Bash(rm *)'],
  allowedTools: ['Edit(/src/**)'],
  authType,
  agents: [agent],
  effort,
  includePartialMessages: true,
  sessionId: '12345678-1234-4234-8234-123456789abc',
  maxToolCalls: 10,
  maxSubagentDepth: 3,
  includeDirectories: ['/srv'],
  extraArgs: ['--debug'],
  allowedMcpServerNames: ['files'],
  fallbackModel: ['a', 'b'],
  proxy: 'http://127.0.0.1:8080',
  safeMode: true,
  disabledSlashCommands: ['init'],
  timeout: { canUseTool: 1, mcpRequest: 1, controlRequest: 1, streamClose: 1 },
};

function describeBlock(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return (block satisfies TextBlock).text;
    case 'thinking':
      return block.thinking;
    case 'tool_use':
      return (block satisfies ToolUseBlock).name;
    case 'tool_result':
      return String((block satisfies ToolResultBlock).is_error);
    default:
      return '';
  }
}

function describeEvent(event: StreamEvent): string {
  if (event.type === 'message_start') return event.message.model;
  if (event.type !== 'content_block_delta') return event.type;
  const { delta, index }: ContentBlockDeltaEvent = event;
  const text: ContentBlockDelta = delta;
  return text.type === 'text_delta' ? text.text : String(index);
}

function describeUsage(usage: Usage & ExtendedUsage): number {
  return usage.input_tokens + usage.output_tokens + (usage.cache_read_input_tokens ?? 0);
}

export function describe(message: SDKMessage): string {
  if (isControlRequest(message) || isControlResponse(message) || isControlCancel(message)) return 'control';
  if (isSDKUserMessage(message)) {
    const { content }: APIUserMessage = message.message;
    return typeof content === 'string' ? content : content.map(describeBlock).join();
  }
  if (isSDKAssistantMessage(message)) {
    const { model, content, stop_reason: reason, usage }: APIAssistantMessage = message.message;
    const total = usage === undefined ? 0 : describeUsage(usage);
    return [model, message.uuid, message.parent_tool_use_id, reason, total, ...content.map(describeBlock)].join();
  }
  if (isSDKPartialAssistantMessage(message)) return describeEvent(message.event);
  if (isSDKSystemMessage(message)) {
    if (message.subtype !== 'init') return message.subtype;
    const { tools, mcp_servers: servers, model, permission_mode: mode, slash_commands: commands, agents } = message;
    const names = servers?.map(({ name, status }) => `${name} ${status}`);
    return [message.cwd, message.qwen_code_version, model, mode, tools, commands, agents, names].join();
  }
  if (!isSDKResultMessage(message)) return '';
  const denials: CLIPermissionDenial[] = message.permission_denials;
  const counts = [message.duration_ms, message.duration_api_ms, message.num_turns, describeUsage(message.usage)];
  if (message.subtype === 'success') return [(message satisfies SDKResultMessageSuccess).result, ...counts].join();
  const error: Pick<SDKResultMessageError, 'error'>['error'] | undefined = message.is_error ? message.error : undefined;
  return [message.subtype, error?.message, error?.type, denials.map((denial) => denial.tool_name), ...counts].join();
}

async function* prompts(): AsyncIterable<SDKUserMessage> {
  const message: APIUserMessage = { role: 'user', content: 'Hello.' };
  yield { type: 'user', session_id: '', message, parent_tool_use_id: null };
}

export async function run(): Promise<unknown[]> {
  const conversation: Query = query({ prompt: prompts(), options });
  const seen: unknown[] = [conversation.getSessionId(), isSdkMcpServerConfig(calculator)];
  try {
    await conversation.initialized;
    for await (const message of conversation) seen.push(describe(message));
    await conversation.interrupt();
    await conversation.setModel('other');
    await conversation.setPermissionMode('yolo');
    const status: EffortStatus = await conversation.setEffortStatus('low');
    const isApplied: boolean = await conversation.setEffort('max');
    seen.push(isApplied, status.override?.field, status.reason, conversation.getInitialEffortStatus()?.applied);
    seen.push(await conversation.continueLastTurn(), await conversation.getContextUsage(true));
    seen.push(await conversation.getAvailableModels(), await conversation.getUsageInfo('week'));
    seen.push((await conversation.supportedCommands())?.['commands'], await conversation.mcpServerStatus());
    await conversation.streamInput(prompts());
    conversation.endInput();
  } catch (error) {
    if (!isAbortError(error) && !(error instanceof AbortError)) throw error;
  } finally {
    if (!conversation.isClosed()) await conversation.close();
  }
  return seen;
}
