import { type AnyTool, createTaskTool } from '@qwen/agent';
import type { AgentConfig } from '@qwen/protocol';
import { askUserTool } from './conversation/ask-user-tool.js';
import { exitPlanTool } from './conversation/exit-plan-tool.js';
import { todoTool } from './conversation/todo-tool.js';
import { editTool } from './files/edit-tool.js';
import { FileLedger } from './files/file-ledger.js';
import { listTool } from './files/list-tool.js';
import { readManyTool } from './files/read-many-tool.js';
import { readTool } from './files/read-tool.js';
import { writeTool } from './files/write-tool.js';
import { globTool } from './search/glob-tool.js';
import { grepTool } from './search/grep-tool.js';
import type { Environment } from './shell/command-environment.js';
import { shellTool } from './shell/shell-tool.js';

export interface BuiltinToolsOptions {
  /** What commands inherit, after secrets were taken out. Default: the environment of this process. */
  readonly environment?: Environment;
  /** Names of variables that commands may see although they look like secrets. Default: none (S108). */
  readonly keepEnvironment?: readonly string[];
  /** Whether somebody answers questions of the model. Default false: it cannot ask any. */
  readonly answersQuestions?: boolean;
  /** The subagents that are configured now, beside the general one. Default: none. */
  readonly agents?: () => readonly AgentConfig[];
}

/**
 * The built-in tools for one session, in the order of `BUILTIN_TOOL_NAMES`. They share what the session has seen of
 * its files; make new ones for each session. Nothing has to be closed: a tool leaves nothing behind once it settles.
 */
export function builtinTools(options: BuiltinToolsOptions = {}): AnyTool[] {
  const { environment = process.env, keepEnvironment = [], answersQuestions = false, agents = () => [] } = options;
  const ledger = new FileLedger();
  return [
    readTool(ledger),
    readManyTool(ledger),
    writeTool(ledger),
    editTool(ledger),
    listTool(),
    globTool(),
    grepTool(async () => (await import('./search/find-search-engine.js')).findSearchEngine()),
    shellTool({ environment, keepEnvironment }),
    todoTool(),
    ...(answersQuestions ? [askUserTool()] : []),
    exitPlanTool(),
    createTaskTool(agents),
  ];
}
