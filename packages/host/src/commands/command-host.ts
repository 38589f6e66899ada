import { readFileSync } from 'node:fs';
import { arch } from 'node:os';
import { loadProjectInstructions } from '@qwen/agent/node';
import type { CommandHost, MemoryFile } from '@qwen/commands';
import { createReferenceReader } from '@qwen/commands';
import {
  addMemory,
  CheckpointFolder,
  createFileReferences,
  runShellCommand,
  systemClipboard,
  workspaceFiles,
} from '@qwen/commands/node';
import { AgentError, defined, QWEN_VERSION } from '@qwen/protocol';
import { createPathResolver } from '@qwen/tools';
import { toAccount } from '../config/account.js';
import { addRoot } from '../config/additional-roots.js';
import { memoryFiles as memoryFilesOfQwenCode } from '../config/qwen-code/memory-files.js';
import { findSettingsFiles } from '../config/settings-files.js';
import type { CommandContext } from './command-context.js';
import { listAgents, listHooks, listTools, mcpControls } from './host-directories.js';
import { checkpointFolder, rewindControls, sessionControls, storedSessions } from './host-sessions.js';

/** The URLs in package.json. The build sets them. */
declare const __QWEN_HOMEPAGE__: string;
declare const __QWEN_ISSUES_URL__: string;

const refuseTask = (taskId: string): never => {
  throw new AgentError('task_not_found', `There is no background command "${taskId}".`);
};
const NO_TASKS: CommandHost['tasks'] = { list: () => [], output: refuseTask, stop: async (id) => refuseTask(id) };

export function createCommandHost(context: CommandContext): CommandHost {
  const { configuration, host, roots, confirmsQuit } = context;
  const { cwd, configDir, homeDirectory, rootLimits, provider } = configuration;
  const names = configuration.settings.extra.instructionFiles;
  const ofPlugins = configuration.settings.plugins.flatMap(({ instructionFiles }) => instructionFiles);
  const files = [...memoryFilesOfQwenCode(configuration), ...ofPlugins];
  const paths = createPathResolver({ roots });
  const editor = process.env['VISUAL'] ?? process.env['EDITOR'];
  return {
    facts: {
      version: QWEN_VERSION,
      homepage: __QWEN_HOMEPAGE__,
      issuesUrl: __QWEN_ISSUES_URL__,
      cwd,
      platform: `${process.platform} ${arch()}, Node.js ${process.versions.node}`,
      account: toAccount(provider),
      settingsFiles: findSettingsFiles({ configDir, cwd, flags: {} }).files.map(({ path }) => path),
      ...(editor !== undefined && { editor }),
    },
    surface: {
      // A protocol client has its own dialogs.
      showsDialogs: context.showsDialogs,
      get confirmsQuit() {
        return confirmsQuit();
      },
    },
    session: sessionControls(context),
    checkpoints: new CheckpointFolder(checkpointFolder(configuration)),
    storedSessions: storedSessions(configuration),
    rewind: rewindControls(context),
    get tasks() {
      return host().background ?? NO_TASKS;
    },
    permissions: permissionControls(context),
    tools: { list: async () => listTools(context) },
    mcp: mcpControls(context),
    agents: { list: async () => listAgents(context) },
    hooks: { list: async () => listHooks(context) },
    folders: {
      list: () => roots,
      add: async (path) => addRoot(path, { cwd, homeDirectory, limits: rootLimits, roots }),
    },
    memory: {
      list: async () => {
        const { hides } = await host().permissionView();
        return memoryFiles(loadProjectInstructions(cwd, configDir, { hides, names, files }).files);
      },
      add: (entry, scope) => addMemory({ folder: scope === 'user' ? configDir : cwd, fileName: names?.[0], entry }),
      refresh: async () => {
        const { hides } = await host().permissionView();
        const { text } = loadProjectInstructions(cwd, configDir, { hides, names, files });
        await (await host().session()).inject(`The project instructions were reloaded. They are now:\n\n${text}`);
      },
    },
    files: workspaceFiles({ cwd, paths }),
    clipboard: systemClipboard(),
    shell: commandShell(context),
    references: {
      read: async (path, signal) => {
        const { hides } = await host().permissionView();
        return createReferenceReader(createFileReferences({ cwd, roots, isHidden: hides })).read(path, signal);
      },
    },
  };
}

function commandShell({ host, configuration }: CommandContext): CommandHost['shell'] {
  const { cwd, settings } = configuration;
  // Compared literally: as a rule, a command with `*` would allow others too.
  const allowed = new Set<string>();
  return {
    decide: async (command) => {
      // Only an open session knows where the command would run.
      if (configuration.sandbox !== undefined) await host().session();
      const { behavior, reason } = await host().explainCall({ name: 'run_shell_command', input: { command } });
      const isKnown = behavior === 'ask' && allowed.has(command);
      return isKnown ? { behavior: 'allow', reason: 'Allowed for this session.' } : { behavior, reason };
    },
    allow: async (command) => {
      allowed.add(command);
    },
    run: async (command, signal) => {
      const sandbox = (await host().sandbox?.open())?.commands?.runnerFor({ command });
      const keep = settings.allowedVariables;
      return runShellCommand({ command, folder: cwd, environment: process.env, keep, ...defined({ sandbox }), signal });
    },
  };
}

function permissionControls({ host }: CommandContext): CommandHost['permissions'] {
  return {
    get mode() {
      return host().permissionMode;
    },
    setMode: (mode) => host().setPermissionMode(mode),
    rules: async () => {
      const { texts } = await host().permissionView();
      return (['deny', 'ask', 'allow'] as const).flatMap((behavior) =>
        texts[behavior].map((rule) => ({ behavior, rule })),
      );
    },
  };
}

function memoryFiles(files: readonly string[]): readonly MemoryFile[] {
  return files.map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}
