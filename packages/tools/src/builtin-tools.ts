import { type AnyTool, createTaskTool } from '@qwen/agent';
import { type AgentConfig, defined } from '@qwen/protocol';
import { askUserTool, type PreviewFormat } from './conversation/ask-user-tool.js';
import { exitPlanTool } from './conversation/exit-plan-tool.js';
import { type SkillSource, skillTool } from './conversation/skill-tool.js';
import { todoTool } from './conversation/todo-tool.js';
import { editTool } from './files/edit-tool.js';
import { type EditorFiles, FileLedger } from './files/file-ledger.js';
import { listTool } from './files/list-tool.js';
import { readManyTool } from './files/read-many-tool.js';
import { readTool } from './files/read-tool.js';
import { writeTool } from './files/write-tool.js';
import type { CommandSandbox } from './sandbox/command-sandbox.js';
import { globTool } from './search/glob-tool.js';
import { grepTool } from './search/grep-tool.js';
import { BackgroundTasks } from './shell/background-tasks.js';
import type { Environment } from './shell/command-environment.js';
import { shellTool } from './shell/shell-tool.js';
import { taskOutputTool } from './shell/task-output-tool.js';
import { taskStopTool } from './shell/task-stop-tool.js';
import { type WebFetchOptions, webFetchTool } from './web/web-fetch-tool.js';
import { type WebSearchChoice, webSearchTool } from './web/web-search-tool.js';

export interface BuiltinToolsOptions {
  /** Without secrets, for commands. Default: that of this process. */
  readonly environment?: Environment;
  /** Variables to keep although they look like secrets. */
  readonly keepEnvironment?: readonly string[];
  /** Whether the host can ask the user. Default false. */
  readonly answersQuestions?: boolean;
  readonly questionPreviews?: PreviewFormat;
  /** Whether read_file numbers lines, if the call does not set it. Default true. */
  readonly lineNumbers?: boolean;
  /** Gets the files to which long output was saved. Missing: none is saved. */
  readonly savedOutputs?: Set<string>;
  /** Missing: commands have all rights of the user. */
  readonly sandbox?: CommandSandbox;
  /** The commands that outlive their call. The session closes it. Default: a new one, which no one closes. */
  readonly background?: BackgroundTasks;
  /** Missing: all text is saved. */
  readonly editor?: EditorFiles;
  readonly web?: WebFetchOptions;
  /** Missing: no tool. */
  readonly webSearch?: WebSearchChoice;
  /** Besides the general one. */
  readonly agents?: () => readonly AgentConfig[];
  /** Missing or empty: no skill tool. */
  readonly skills?: SkillSource;
}

/** The tools of one session. Only {@link BuiltinToolsOptions.background} has to be closed. */
export function builtinTools(options: BuiltinToolsOptions = {}): AnyTool[] {
  const { environment = process.env, keepEnvironment = [], answersQuestions = false, agents = () => [] } = options;
  const { lineNumbers = true, savedOutputs, sandbox, questionPreviews, skills } = options;
  const { background = new BackgroundTasks() } = options;
  const ledger = new FileLedger(options.editor);
  return [
    readTool(ledger, { lineNumbers }),
    readManyTool(ledger),
    writeTool(ledger),
    editTool(ledger),
    listTool(),
    globTool(),
    grepTool(async (project) => (await import('./search/find-search-engine.js')).findSearchEngine(project)),
    shellTool({ environment, keepEnvironment, background, ...defined({ savedOutputs, sandbox }) }),
    taskOutputTool(background),
    taskStopTool(background),
    webFetchTool(options.web),
    ...(options.webSearch === undefined ? [] : [webSearchTool({ ...options.webSearch, route: options.web?.route })]),
    todoTool(),
    ...(answersQuestions ? [askUserTool(questionPreviews)] : []),
    exitPlanTool(),
    createTaskTool(agents),
    ...(skills !== undefined && skills.names.length > 0 ? [skillTool(skills)] : []),
  ];
}
