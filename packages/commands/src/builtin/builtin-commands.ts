import type { CommandSource } from '../command-registry.js';
import { agentCommands } from './agents.js';
import { chatCommands } from './chat.js';
import { conversationCommands } from './conversation.js';
import { diffCommand } from './diff.js';
import { directoryCommands } from './directory.js';
import { helpCommand } from './help.js';
import { mcpCommands } from './mcp.js';
import { memoryCommands } from './memory.js';
import { programCommands } from './program.js';
import { promptCommands } from './prompts.js';
import { rewindCommand } from './rewind.js';
import { settingsCommands } from './settings.js';
import { statsCommands } from './stats.js';
import { tasksCommand } from './tasks.js';
import { toolCommands } from './tools.js';

/** The built-in commands. Create them once per session: /corgi has state. */
export function builtinCommands(): CommandSource {
  const commands = [
    ...agentCommands,
    ...chatCommands,
    ...conversationCommands,
    diffCommand,
    ...directoryCommands,
    helpCommand,
    ...mcpCommands,
    ...memoryCommands,
    ...programCommands(),
    ...promptCommands,
    rewindCommand,
    ...settingsCommands,
    ...statsCommands,
    tasksCommand,
    ...toolCommands,
  ];
  return { list: () => commands };
}
