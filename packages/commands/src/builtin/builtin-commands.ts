import type { Command } from '../command.js';
import type { CommandSource } from '../command-registry.js';
import { aboutCommand } from './about.js';
import { agentsCommand } from './agents/agents.js';
import { agentsCreateCommand } from './agents/agents-create.js';
import { agentsListCommand } from './agents/agents-list.js';
import { agentsManageCommand } from './agents/agents-manage.js';
import { approvalModeCommand } from './approval-mode.js';
import { authCommand } from './auth.js';
import { bugCommand } from './bug.js';
import { chatCommand } from './chat/chat.js';
import { chatDeleteCommand } from './chat/chat-delete.js';
import { chatListCommand } from './chat/chat-list.js';
import { chatResumeCommand } from './chat/chat-resume.js';
import { chatSaveCommand } from './chat/chat-save.js';
import { chatShareCommand } from './chat/chat-share.js';
import { clearCommand } from './clear.js';
import { compressCommand } from './compress.js';
import { copyCommand } from './copy.js';
import { corgiCommand } from './corgi.js';
import { directoryCommand } from './directory/directory.js';
import { directoryAddCommand } from './directory/directory-add.js';
import { directoryShowCommand } from './directory/directory-show.js';
import { docsCommand } from './docs.js';
import { editorCommand } from './editor.js';
import { exportCommand } from './export.js';
import { helpCommand } from './help.js';
import { hooksCommand } from './hooks.js';
import { initCommand } from './init.js';
import { mcpCommand } from './mcp/mcp.js';
import { mcpAuthCommand } from './mcp/mcp-auth.js';
import { mcpDescCommand } from './mcp/mcp-desc.js';
import { mcpListCommand } from './mcp/mcp-list.js';
import { mcpRefreshCommand } from './mcp/mcp-refresh.js';
import { mcpSchemaCommand } from './mcp/mcp-schema.js';
import { memoryCommand } from './memory/memory.js';
import { memoryAddCommand } from './memory/memory-add.js';
import { memoryListCommand } from './memory/memory-list.js';
import { memoryRefreshCommand } from './memory/memory-refresh.js';
import { memoryShowCommand } from './memory/memory-show.js';
import { modelCommand } from './model.js';
import { permissionsCommand } from './permissions.js';
import { privacyCommand } from './privacy.js';
import { quitCommand } from './quit.js';
import { resumeCommand } from './resume.js';
import { settingsCommand } from './settings.js';
import { statsCommand } from './stats/stats.js';
import { statsModelCommand } from './stats/stats-model.js';
import { statsToolsCommand } from './stats/stats-tools.js';
import { summaryCommand } from './summary.js';
import { themeCommand } from './theme.js';
import { toolsCommand } from './tools/tools.js';
import { toolsDescCommand } from './tools/tools-desc.js';
import { toolsNodescCommand } from './tools/tools-nodesc.js';
import { toolsRunCommand } from './tools/tools-run.js';

/** The commands that are always there (GAP-03), for one session. */
export function builtinCommands(): CommandSource {
  const commands: readonly Command[] = [
    aboutCommand,
    agentsCommand,
    agentsCreateCommand,
    agentsListCommand,
    agentsManageCommand,
    approvalModeCommand,
    authCommand,
    bugCommand,
    chatCommand,
    chatDeleteCommand,
    chatListCommand,
    chatResumeCommand,
    chatSaveCommand,
    chatShareCommand,
    clearCommand,
    compressCommand,
    copyCommand,
    corgiCommand(),
    directoryCommand,
    directoryAddCommand,
    directoryShowCommand,
    docsCommand,
    editorCommand,
    exportCommand,
    helpCommand,
    hooksCommand,
    initCommand,
    mcpCommand,
    mcpAuthCommand,
    mcpDescCommand,
    mcpListCommand,
    mcpRefreshCommand,
    mcpSchemaCommand,
    memoryCommand,
    memoryAddCommand,
    memoryListCommand,
    memoryRefreshCommand,
    memoryShowCommand,
    modelCommand,
    permissionsCommand,
    privacyCommand,
    quitCommand,
    resumeCommand,
    settingsCommand,
    statsCommand,
    statsModelCommand,
    statsToolsCommand,
    summaryCommand,
    themeCommand,
    toolsCommand,
    toolsDescCommand,
    toolsNodescCommand,
    toolsRunCommand,
  ];
  return { list: () => commands };
}
