import type { ToolInputOf, ToolResultOf } from '@qwen/protocol';

// Names that apps of the Claude Agent SDK import for inputs and structured results of built-in tools.

/** Input of the tool that starts a subagent. */
export interface AgentInput {
  description: string;
  prompt: string;
  subagent_type?: string;
}
export type AskUserQuestionInput = ToolInputOf<'ask_user_question'>;
export type BashInput = ToolInputOf<'run_shell_command'> & { run_in_background?: boolean };
export type ExitPlanModeInput = ToolInputOf<'exit_plan_mode'>;
export type FileEditInput = ToolInputOf<'edit'>;
export type FileReadInput = ToolInputOf<'read_file'>;
export type FileWriteInput = ToolInputOf<'write_file'>;
export type GlobInput = ToolInputOf<'glob'>;
export type GrepInput = ToolInputOf<'grep_search'>;
export type TaskStopInput = ToolInputOf<'task_stop'>;
export type TodoWriteInput = ToolInputOf<'todo_write'>;
export type WebFetchInput = ToolInputOf<'web_fetch'>;
export type WebSearchInput = ToolInputOf<'web_search'>;

export type AgentOutput = ToolResultOf<'task'>;
export type AskUserQuestionOutput = ToolResultOf<'ask_user_question'>;
export type BashOutput = ToolResultOf<'run_shell_command'>;
export type ExitPlanModeOutput = ToolResultOf<'exit_plan_mode'>;
export type FileEditOutput = ToolResultOf<'edit'>;
export type FileReadOutput = ToolResultOf<'read_file'>;
export type FileWriteOutput = ToolResultOf<'write_file'>;
export type GlobOutput = ToolResultOf<'glob'>;
export type GrepOutput = ToolResultOf<'grep_search'>;
export type TaskStopOutput = ToolResultOf<'task_stop'>;
export type TodoWriteOutput = ToolResultOf<'todo_write'>;
export type WebFetchOutput = ToolResultOf<'web_fetch'>;
export type WebSearchOutput = ToolResultOf<'web_search'>;
