import { basename } from 'node:path';
import type { Command } from '@qwen/commands';
import { AgentError } from '@qwen/protocol';
import type { SessionService } from '../../core/session-service.js';
import type { ChatHandlersOf } from '../http/chat-call.js';
import { toChatError } from '../http/chat-error.js';
import { executeCommand } from './execute-command.js';
import { type OpenCommands, type SessionCommands, toCommandName, unknownCommand } from './session-commands.js';

type CommandRoutes = '/api/commands/list' | '/api/commands/execute' | '/api/commands/help';

export interface CommandHandlersOptions {
  readonly sessions: SessionService;
  readonly commands: SessionCommands;
}

export function commandHandlers({ sessions, commands }: CommandHandlersOptions): ChatHandlersOf<CommandRoutes> {
  return {
    '/api/commands/list': async ({ sessionId, reload, includeBuiltins = false }) => {
      const open = await commands.openAll(sessionId, { reload });
      const listed = listOf(open, includeBuiltins).map(toListed);
      const errors = problemsOf(open);
      return { success: true, commands: listed, total: listed.length, ...(errors.length > 0 && { errors }) };
    },
    '/api/commands/execute': async (request, { signal }) => {
      const open = await commands.open(request.sessionId);
      try {
        return await executeCommand({ sessions, open, signal }, request);
      } catch (thrown) {
        if (!AgentError.is(thrown) || thrown.code !== 'turn_failed') throw thrown;
        // Not hidden as a server error: the log of the session has the same message.
        const { message, code } = thrown;
        return Response.json(toChatError({ message, code }, '/api/commands/execute'), { status: 502 });
      }
    },
    '/api/commands/help': async ({ sessionId, reload, command: wanted }) => {
      const open = await commands.openAll(sessionId, { reload });
      if (wanted !== undefined) {
        const command = open.registry.find(toCommandName(wanted));
        if (command === undefined) throw unknownCommand(wanted);
        return { success: true, command: toListed(command) };
      }
      const listed = listOf(open, false).map(({ name, description }) => ({ name, description }));
      return { success: true, commands: listed, total: listed.length };
    },
  };
}

function listOf({ registry }: OpenCommands, includeBuiltins: boolean): readonly Command[] {
  return registry.list().filter(({ kind }) => includeBuiltins || kind !== 'built-in');
}

function problemsOf({ notices, registry, fileCommand }: OpenCommands) {
  const taken = registry.conflicts.filter(({ command }) => command.kind === 'file');
  return [
    ...notices.map(({ path, message }) => ({ file: basename(path), message })),
    ...taken.map(({ command, reason }) => ({ file: fileCommand(command)?.file ?? command.name, message: reason })),
  ];
}

function toListed({ name, description, kind }: Command) {
  return { name, description, kind };
}
