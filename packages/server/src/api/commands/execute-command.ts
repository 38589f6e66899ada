import { AgentError } from '@qwen/protocol';
import type { ChatAnswer, ChatRequest } from '@qwen/protocol/server';
import type { SessionService } from '../../core/session-service.js';
import { awaitTurn } from './await-turn.js';
import { expandFileCommand, promptText } from './expand-file-command.js';
import { type OpenCommands, toCommandName, unknownCommand } from './session-commands.js';

type Request = ChatRequest<'/api/commands/execute'>;
type Answer = ChatAnswer<'/api/commands/execute'>;

export interface CommandRunOptions {
  readonly sessions: SessionService;
  readonly open: OpenCommands;
  readonly signal: AbortSignal;
}

/**
 * Runs a command as one turn of its session and gives the final text (GAP-76). A command file becomes a prompt here, so
 * that no shell runs for it; everything else is the agent's own affair. Errors: `unknown_command`, `session_busy`, those
 * of {@link expandFileCommand} and {@link awaitTurn}; `turn_failed` for what the agent or the model failed with.
 */
export async function executeCommand(options: CommandRunOptions, request: Request): Promise<Answer> {
  const { open, signal } = options;
  const name = toCommandName(request.command);
  const args = (request.args ?? '').trim();
  const found = open.registry.find(name);
  const file = found === undefined ? undefined : open.fileCommand(found);
  if (file !== undefined) {
    const { prompt, warnings } = await expandFileCommand(file, { workspace: open.workspace, args, signal });
    const answer = {
      success: true,
      command: file.name,
      prompt: promptText(prompt),
      ...(warnings.length > 0 && { warnings: [...warnings] }),
    } as const;
    if (request.submit === false) return { ...answer, output: answer.prompt };
    const output = await play(options, {
      sessionId: request.sessionId,
      content: `/${file.name} ${args}`.trim(),
      prompt,
    });
    return { ...answer, output };
  }
  if (found === undefined && !MCP_PROMPT.test(name)) throw unknownCommand(request.command);
  if (request.submit === false) {
    throw new AgentError(
      'invalid_payload',
      'body.submit: only the prompt of a command file can be made without a turn',
    );
  }
  const command = found?.name ?? name;
  const output = await play(options, { sessionId: request.sessionId, content: `/${command} ${args}`.trim() });
  return { success: true, command, output };
}

/** The agent alone knows which prompts its servers have. */
const MCP_PROMPT = /^mcp__[\w.-]+$/;

interface Play {
  readonly sessionId: string;
  readonly content: string;
  readonly prompt?: Parameters<SessionService['send']>[1]['prompt'];
}

async function play({ sessions, signal }: CommandRunOptions, { sessionId, content, prompt }: Play): Promise<string> {
  const ticket = await sessions.send(sessionId, { content, prompt, whenBusy: 'refuse' });
  try {
    return await awaitTurn({ log: sessions.log, sessionId, ticket, signal });
  } catch (thrown) {
    const error = AgentError.from(thrown);
    if (error.code === 'unknown_command') throw unknownCommand(content.split(' ', 1)[0] ?? '');
    if (PASSED_ON.has(error.code)) throw error;
    throw new AgentError('turn_failed', error.message, { cause: error });
  }
}

/** These are about the request; the rest is about the agent and its provider, whose 401 must not look like ours. */
const PASSED_ON: ReadonlySet<string> = new Set(['aborted', 'cancelled', 'channel_closed', 'session_not_found']);
