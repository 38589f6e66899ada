/** Our name of a tool → the names that peers and people use for it in rules. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  read_file: ['Read', 'ReadFile', 'ReadFileTool', 'read'],
  read_many_files: ['ReadManyFiles', 'ReadManyFilesTool'],
  write_file: ['Write', 'WriteFile', 'WriteFileTool'],
  edit: ['Edit', 'EditTool', 'edit_file', 'replace', 'MultiEdit'],
  list_directory: ['LS', 'ListFiles', 'ReadFolder', 'list_dir', 'ls'],
  glob: ['Glob', 'GlobTool', 'FindFiles'],
  grep_search: ['Grep', 'GrepTool', 'SearchText', 'search_file_content', 'grep'],
  run_shell_command: ['Bash', 'Shell', 'ShellTool', 'bash', 'shell'],
  exit_plan_mode: ['ExitPlanMode', 'ExitPlanModeTool'],
  todo_write: ['TodoWrite', 'TodoWriteTool', 'todo'],
};

const CANONICAL = new Map(
  Object.entries(ALIASES).flatMap(([name, aliases]) =>
    [name, ...aliases].map((alias): [string, string] => [alias.toLowerCase(), name]),
  ),
);

/** The name by which rules are compared: ours for every alias, the name itself for tools that we do not know. */
export function canonicalToolName(name: string): string {
  return CANONICAL.get(name.toLowerCase()) ?? name;
}
