import type { ToolKind } from '@qwen/agent';

/** What is known of a built-in tool without loading it. */
export interface ToolEntry {
  readonly name: string;
  /** Names that users of other agents know it by; compared without regard to case. */
  readonly aliases: readonly string[];
  readonly kind: ToolKind;
}

/** The built-in tools, in the order in which the model sees them. */
export const BUILTIN_TOOL_CATALOG = {
  read_file: { name: 'read_file', aliases: ['ReadFile', 'Read'], kind: 'read' },
  read_many_files: { name: 'read_many_files', aliases: ['ReadManyFiles'], kind: 'read' },
  write_file: { name: 'write_file', aliases: ['WriteFile', 'Write'], kind: 'edit' },
  edit: { name: 'edit', aliases: ['EditFile', 'replace'], kind: 'edit' },
  list_directory: { name: 'list_directory', aliases: ['ListFiles', 'ReadFolder', 'LS'], kind: 'read' },
  glob: { name: 'glob', aliases: ['FindFiles'], kind: 'read' },
  grep_search: { name: 'grep_search', aliases: ['Grep', 'SearchText', 'search_file_content'], kind: 'read' },
  run_shell_command: { name: 'run_shell_command', aliases: ['Shell', 'ShellTool', 'Bash'], kind: 'execute' },
  todo_write: { name: 'todo_write', aliases: ['TodoWrite', 'TodoList', 'write_todos'], kind: 'read' },
  /** Offered only where somebody answers questions. */
  ask_user_question: { name: 'ask_user_question', aliases: ['AskUserQuestion'], kind: 'read' },
  exit_plan_mode: { name: 'exit_plan_mode', aliases: ['ExitPlanMode'], kind: 'read' },
  task: { name: 'task', aliases: ['Task', 'Agent'], kind: 'read' },
} as const satisfies Record<string, ToolEntry>;

/** The name of a built-in tool. */
export type BuiltinToolName = keyof typeof BUILTIN_TOOL_CATALOG;

/** The names of the built-in tools, in the order in which the model sees them. */
export const BUILTIN_TOOL_NAMES: readonly BuiltinToolName[] = Object.values(BUILTIN_TOOL_CATALOG).map(
  ({ name }) => name,
);
