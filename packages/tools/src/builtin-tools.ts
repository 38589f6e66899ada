import { type AnyTool, createTaskTool } from '@qwen/agent';
import type { AgentConfig } from '@qwen/protocol';
import { askUserTool } from './ask-user.js';
import { editTool } from './edit.js';
import { exitPlanTool } from './exit-plan-mode.js';
import { FileLedger } from './files/file-ledger.js';
import { globTool } from './glob.js';
import { grepTool } from './grep.js';
import { listTool } from './list.js';
import { readTool } from './read.js';
import { readManyTool } from './read-many.js';
import type { Environment } from './shell/command-environment.js';
import { shellTool } from './shell.js';
import { todoTool } from './todo.js';
import { writeTool } from './write.js';

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
