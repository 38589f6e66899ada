/**
 * Effect of a tool, for permissions. `read` changes nothing, `edit` changes files, `execute` runs programs,
 * `network` reads from the network, `other` is unknown and treated as risky.
 */
export type ToolKind = 'read' | 'edit' | 'execute' | 'network' | 'other';

export interface ToolEntry {
  readonly name: string;
  /** Other names, matched in snake_case and as a class: `MultiEdit`, `multi_edit`, `MultiEditTool`. */
  readonly aliases: readonly string[];
  /** The tool of Claude Code with the same effect. */
  readonly claudeName: string;
  /** Guards of this tool also judge this one, in its terms. */
  readonly guardedAs?: string;
  readonly kind: ToolKind;
  /** Title for users; not unique. */
  readonly title: string;
  /** Whether it only reads or finds workspace files. */
  readonly readsFiles?: true;
}

/** The built-in tools, in the order offered to the model. The only list of their names. */
export const TOOL_TABLE = {
  read_file: {
    name: 'read_file',
    aliases: [
      'Read',
      'View',
      'ViewFile',
      'ViewImage',
      'OpenFile',
      'Cat',
      'FsRead',
      'ReadTextFile',
      'GetFileContents',
      'ReadFileContent',
      'ReadFileContents',
      'GetFile',
      'FileRead',
    ],
    claudeName: 'Read',
    kind: 'read',
    title: 'Read',
    readsFiles: true,
  },
  read_many_files: {
    name: 'read_many_files',
    aliases: ['ReadFiles', 'ReadMultipleFiles'],
    claudeName: 'Read',
    guardedAs: 'read_file',
    kind: 'read',
    title: 'Read',
    readsFiles: true,
  },
  write_file: {
    name: 'write_file',
    aliases: [
      'Write',
      'CreateFile',
      'Create',
      'WriteToFile',
      'SaveFile',
      'NewFile',
      'FsWrite',
      'FileWrite',
      'OverwriteFile',
      'AddFile',
    ],
    claudeName: 'Write',
    kind: 'edit',
    title: 'Write',
  },
  edit: {
    name: 'edit',
    aliases: [
      'EditFile',
      'MultiEdit',
      'Replace',
      'ApplyPatch',
      'Patch',
      'StrReplace',
      'StrReplaceFile',
      'StrReplaceEditor',
      'StrReplaceBasedEdit',
      'TextEditor',
      'SearchReplace',
      'SearchAndReplace',
      'ReplaceInFile',
      'ReplaceStringInFile',
      'UpdateFile',
      'Update',
      'ModifyFile',
      'EditBlock',
      'TextReplace',
      'FileEdit',
      'ApplyDiff',
    ],
    claudeName: 'Edit',
    kind: 'edit',
    title: 'Edit',
  },
  list_directory: {
    name: 'list_directory',
    aliases: ['LS', 'List', 'ListDir', 'ListFiles', 'ReadFolder', 'ListFolder', 'ListDirectoryContents', 'Dir'],
    claudeName: 'LS',
    kind: 'read',
    title: 'List',
    readsFiles: true,
  },
  glob: {
    name: 'glob',
    aliases: ['FindFiles', 'GlobSearch', 'GlobFiles', 'FileSearch', 'FindByName', 'FileGlobSearch', 'GlobFileSearch'],
    claudeName: 'Glob',
    kind: 'read',
    title: 'Find',
    readsFiles: true,
  },
  grep_search: {
    name: 'grep_search',
    aliases: [
      'Grep',
      'RipGrep',
      'SearchFiles',
      'SearchFileContent',
      'SearchText',
      'Rg',
      'GrepFiles',
      'FindInFiles',
      'SearchCode',
      'CodeSearch',
      'CodebaseSearch',
      'GrepCode',
      'ContentSearch',
    ],
    claudeName: 'Grep',
    kind: 'read',
    title: 'Search',
    readsFiles: true,
  },
  run_shell_command: {
    name: 'run_shell_command',
    aliases: [
      'Bash',
      'Shell',
      'RunCommand',
      'RunTerminalCmd',
      'RunTerminalCommand',
      'RunInTerminal',
      'ExecuteCommand',
      'ExecuteBash',
      'RunBash',
      'RunShell',
      'RunBashCommand',
      'ExecuteShell',
      'UnifiedExec',
      'Cmd',
      'ShellCommand',
      'Exec',
      'ExecCommand',
      'ShellExec',
      'LocalShell',
      'ContainerExec',
      'Terminal',
      'Execute',
    ],
    claudeName: 'Bash',
    kind: 'execute',
    title: 'Run',
  },
  task_output: {
    name: 'task_output',
    aliases: [
      'BashOutput',
      'ShellOutput',
      'GetTaskOutput',
      'GetCommandOutput',
      'GetTerminalOutput',
      'ReadBackgroundOutput',
      'ListBackgroundProcesses',
      'WaitForTask',
    ],
    claudeName: 'TaskOutput',
    kind: 'read',
    title: 'Task output',
  },
  task_stop: {
    name: 'task_stop',
    aliases: ['KillShell', 'KillBash', 'KillTask', 'StopTask', 'CancelTask', 'KillBackgroundProcess'],
    claudeName: 'TaskStop',
    kind: 'read',
    title: 'Stop task',
  },
  web_fetch: {
    name: 'web_fetch',
    aliases: [
      'WebFetch',
      'Fetch',
      'FetchUrl',
      'UrlFetch',
      'FetchWebpage',
      'FetchWebPage',
      'FetchPage',
      'FetchContent',
      'ReadUrl',
      'ReadUrlContent',
      'ReadWebPage',
      'OpenUrl',
      'GetUrl',
      'WebReader',
    ],
    claudeName: 'WebFetch',
    kind: 'network',
    title: 'Fetch',
  },
  /** Offered only if a provider is configured. */
  web_search: {
    name: 'web_search',
    aliases: ['SearchWeb', 'GoogleWebSearch', 'GoogleSearch', 'BraveWebSearch', 'InternetSearch', 'OnlineSearch'],
    claudeName: 'WebSearch',
    kind: 'network',
    title: 'Search the web',
  },
  todo_write: {
    name: 'todo_write',
    aliases: [
      'Todo',
      'TodoList',
      'WriteTodos',
      'UpdatePlan',
      'UpdateTodos',
      'UpdateTodoList',
      'TodoUpdate',
      'ManageTodoList',
    ],
    claudeName: 'TodoWrite',
    kind: 'read',
    title: 'Todo list',
  },
  /** Offered only if a user can answer. */
  ask_user_question: {
    name: 'ask_user_question',
    aliases: ['AskUser', 'AskFollowupQuestion', 'AskQuestion'],
    claudeName: 'AskUserQuestion',
    kind: 'read',
    title: 'Ask',
  },
  exit_plan_mode: { name: 'exit_plan_mode', aliases: [], claudeName: 'ExitPlanMode', kind: 'read', title: 'Plan' },
  task: {
    name: 'task',
    aliases: ['Agent', 'DispatchAgent', 'SpawnAgent', 'Subagent', 'RunSubagent'],
    claudeName: 'Agent',
    kind: 'read',
    title: 'Agent',
  },
  /** Offered only if there are skills. */
  skill: {
    name: 'skill',
    aliases: ['ActivateSkill', 'UseSkill', 'LoadSkill', 'ReadSkill'],
    claudeName: 'Skill',
    kind: 'read',
    title: 'Skill',
  },
} as const satisfies Record<string, ToolEntry>;

export type BuiltinToolName = keyof typeof TOOL_TABLE;

const ENTRIES: readonly (ToolEntry & { readonly name: BuiltinToolName })[] = Object.values(TOOL_TABLE);

/** In table order. */
export const BUILTIN_TOOL_NAMES: readonly BuiltinToolName[] = ENTRIES.map(({ name }) => name);

export const FILE_READING_TOOLS: readonly BuiltinToolName[] = ENTRIES.filter((entry) => entry.readsFiles).map(
  ({ name }) => name,
);

/** All aliases, in each usual spelling. */
export function toolAliases(name: BuiltinToolName): readonly string[] {
  const { aliases } = TOOL_TABLE[name];
  const spellings = [name, ...aliases].flatMap((alias) => {
    const pascal = toPascalCase(alias);
    return [pascal, `${pascal}Tool`, toSnakeCase(alias)];
  });
  return [...new Set(spellings)].filter((spelling) => spelling !== name);
}

let namesByKey: ReadonlyMap<string, BuiltinToolName> | undefined;

/** The built-in tool of a name or alias. Ignores case, underscores, dashes, dots and a final `Tool`. */
export function findBuiltinTool(name: string): BuiltinToolName | undefined {
  namesByKey ??= new Map(
    ENTRIES.flatMap((entry) => [entry.name, ...entry.aliases].map((alias) => [toolNameKey(alias), entry.name])),
  );
  return namesByKey.get(toolNameKey(name));
}

export const canonicalToolName = (name: string): string => findBuiltinTool(name) ?? name;

/** Whose names a guard expects. */
export const TOOL_VOCABULARIES = ['qwen', 'claude'] as const;
export type ToolVocabulary = (typeof TOOL_VOCABULARIES)[number];

export function toolNameIn(vocabulary: ToolVocabulary, name: string): string {
  const own = findBuiltinTool(name);
  if (own === undefined) return name;
  return vocabulary === 'claude' ? TOOL_TABLE[own].claudeName : own;
}

/** The names under which guards know a built-in tool; that of their vocabulary first. Empty for other tools. */
export function guardNames(vocabulary: ToolVocabulary, name: string): readonly string[] {
  const own = findBuiltinTool(name);
  if (own === undefined) return [];
  const entry: ToolEntry = TOOL_TABLE[own];
  const general = entry.guardedAs === undefined ? undefined : findBuiltinTool(entry.guardedAs);
  const names = [toolNameIn(vocabulary, own), own, entry.claudeName, ...toolAliases(own)];
  return [...new Set([...names, ...(general === undefined ? [] : [general, ...toolAliases(general)])])];
}

/** A name without what models put around it: `functions.read_file:0`, `developer__shell`, `ls<|channel|>json`. */
export function bareToolName(name: string): string {
  return name
    .replaceAll(/[\u200b-\u200d\u2060\ufeff]/g, '')
    .trim()
    .replaceAll('\\_', '_')
    .replace(/^(?:<\|\w+\|>\s*)+/, '')
    .replace(/<\|.*$/s, '')
    .replaceAll(/^[`"'<\u00ab]+|[`"'>\u00bb,;]+$/g, '')
    .replace(
      /^(?:(?:functions?|tools?|calls?|default_api|api|fs|built_?in|multi_tool_use|namespace|assistant|repo_browser)(?:::|__|[.:/]))+/i,
      '',
    )
    .replace(/^developer__/, '')
    .replace(/(?::\d+|_20\d{6}|\(\s*\))$/, '');
}

/** Equal for all spellings of a name: `edit_file`, `EditFile` and `EditFileTool`. */
export function toolNameKey(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[_.\s-]/g, '')
    .replace(/(?<=.)tool$/, '');
}

function toPascalCase(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
}
