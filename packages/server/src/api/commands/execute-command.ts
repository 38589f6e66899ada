import { AgentError } from '@qwen/protocol';
import type { ChatRequest, ChatResponse } from '@qwen/protocol/server';
import type { SessionService } from '../../core/session-service.js';
import { awaitTurn } from './await-turn.js';
import { expandFileCommand, promptText } from './expand-file-command.js';
import { type OpenCommands, toCommandName, unknownCommand } from './session-commands.js';

type Request = ChatRequest<'/api/commands/execute'>;
type CommandResponse = ChatResponse<'/api/commands/execute'>;

export interface CommandRunOptions {
  readonly sessions: SessionService;
  readonly open: OpenCommands;
  readonly signal: AbortSignal;
}

/**
 * Runs a command as a turn and returns its result. Expands command files here, so that they run no shell. Errors:
 * `unknown_command`, `session_busy`; those of {@link expandFileCommand} and {@link awaitTurn}; `turn_failed` for errors
 * of the agent or the model.
 */
export async function executeCommand(options: CommandRunOptions, request: Request): Promise<CommandResponse> {
  const { open, signal } = options;
  const name = toCommandName(request.command);
  const args = (request.args ?? '').trim();
  const found = open.registry.find(name);
  const file = found === undefined ? undefined : open.fileCommand(found);
  if (file !== undefined) {
    const { prompt, warnings } = await expandFileCommand(file, { workspace: open.workspace, args, signal });
    const expanded = {
      success: true,
      command: file.name,
      prompt: promptText(prompt),
      ...(warnings.length > 0 && { warnings: [...warnings] }),
    } as const;
    if (request.submit === false) return { ...expanded, output: expanded.prompt };
    const output = await runTurn(options, {
      sessionId: request.sessionId,
      content: `/${file.name} ${args}`.trim(),
      prompt,
    });
    return { ...expanded, output };
  }
  if (found === undefined && !MCP_PROMPT.test(name)) throw unknownCommand(request.command);
  if (request.submit === false) {
    throw new AgentError('invalid_payload', 'body.submit: false is only supported for command files');
  }
  const command = found?.name ?? name;
  const output = await runTurn(options, { sessionId: request.sessionId, content: `/${command} ${args}`.trim() });
  return { success: true, command, output };
}

/** Only the agent knows the prompts of its MCP servers. */
const MCP_PROMPT = /^mcp__[\w.-]+$/;

interface CommandTurn {
  readonly sessionId: string;
  readonly content: string;
  readonly prompt?: Parameters<SessionService['send']>[1]['prompt'];
}

async function runTurn(
  { sessions, signal }: CommandRunOptions,
  { sessionId, content, prompt }: CommandTurn,
): Promise<string> {
  const ticket = await sessions.send(sessionId, { content, prompt, whenBusy: 'refuse' });
  try {
    return await awaitTurn({ log: sessions.log, sessionId, ticket, signal });
  } catch (thrown) {
    const error = AgentError.from(thrown);
    if (error.code === 'unknown_command') throw unknownCommand(content.split(' ', 1)[0] ?? '');
    if (REQUEST_ERRORS.has(error.code)) throw error;
    throw new AgentError('turn_failed', error.message, { cause: error });
  }
}

/** Other errors are those of the agent or the provider, whose 401 must not look like one of the server. */
const REQUEST_ERRORS: ReadonlySet<string> = new Set(['aborted', 'cancelled', 'channel_closed', 'session_not_found']);
