import {
  AgentError,
  BUILTIN_TOOL_NAMES,
  type BuiltinToolName,
  findBuiltinTool,
  nearestName,
  TOOL_TABLE,
  toolAliases,
  toolNameKey,
} from '@qwen/protocol';

/** In table order. */
export type ToolSelection = readonly string[];

interface SelectionFlags {
  readonly coreTools?: readonly string[];
  readonly excludeTools?: readonly string[];
  /** Whether the model may load skills. Default false. */
  readonly hasSkills?: boolean;
  /** Default false. */
  readonly hasWebSearch?: boolean;
}

/** Throws `usage` for an unknown core tool, unless another agent has it. Core tools may be rules. */
export function selectTools({ coreTools, excludeTools = [], ...has }: SelectionFlags): ToolSelection {
  const wanted =
    coreTools === undefined || coreTools.includes('default') ? BUILTIN_TOOL_NAMES : coreTools.flatMap(coreTool);
  const excluded = new Set(excludeTools.map(findBuiltinTool));
  if (has.hasSkills !== true) excluded.add(TOOL_TABLE.skill.name);
  if (has.hasWebSearch !== true) excluded.add(TOOL_TABLE.web_search.name);
  const chosen = BUILTIN_TOOL_NAMES.filter((name) => wanted.includes(name) && !excluded.has(name));
  // Only commands run in the background.
  return chosen.includes('run_shell_command') ? chosen : chosen.filter((name) => !TASK_TOOLS.has(name));
}

/** Core tools that other agents have and that do not exist here, or lack their settings. */
export function absentCoreTools(
  coreTools: readonly string[],
  { hasWebSearch = false }: Pick<SelectionFlags, 'hasWebSearch'> = {},
): readonly string[] {
  return coreTools.filter((entry) => {
    const found = findBuiltinTool(toolOf(entry));
    return found === undefined ? isToolOfOthers(toolOf(entry)) : found === 'web_search' && !hasWebSearch;
  });
}

/** Rules that limit core tools: those with brackets whose tool is not also listed without. */
export function limitsOfCoreTools(coreTools: readonly string[]): readonly string[] {
  const whole = new Set(coreTools.filter((entry) => !entry.includes('(')).map(findBuiltinTool));
  return coreTools.filter((entry) => entry.includes('(') && !whole.has(findBuiltinTool(toolOf(entry))));
}

const TASK_TOOLS: ReadonlySet<string> = new Set(['task_output', 'task_stop'] satisfies BuiltinToolName[]);

/** Throws `usage` for a rule whose tool does not exist but resembles a built-in one. */
export function checkToolNames(flag: string, rules: readonly string[]): void {
  const [unknown] = findMistypedTools(rules);
  if (unknown !== undefined) throw unknownTool(flag, unknown.name);
}

/** Names in rules that no tool has but that resemble built-in ones. */
export function findMistypedTools(
  rules: readonly string[],
): readonly { readonly name: string; readonly nearest: string }[] {
  return rules.flatMap((rule) => {
    const name = toolOf(rule);
    if (name.includes('*') || findBuiltinTool(name) !== undefined) return [];
    const nearest = nearestTool(name);
    return nearest === undefined ? [] : [{ name, nearest }];
  });
}

/** Tools offered in any case: whether someone can answer questions is known later. */
export function offeredAnyway(selection: ToolSelection): ToolSelection {
  return selection.filter((name) => name !== TOOL_TABLE.ask_user_question.name);
}

function coreTool(entry: string): readonly BuiltinToolName[] {
  const name = toolOf(entry);
  const found = findBuiltinTool(name);
  if (found !== undefined) return [found];
  if (isToolOfOthers(name)) return [];
  throw unknownTool('core-tools', name);
}

function toolOf(rule: string): string {
  return rule.trim().split('(')[0] ?? '';
}

function unknownTool(flag: string, name: string): AgentError {
  const near = nearestTool(name);
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  return new AgentError('usage', `--${flag}: there is no built-in tool "${name}".${hint}`);
}

/** Tools that Claude Code or qwen-code has and `qwen` does not: their names are no typing mistakes. */
const TOOLS_OF_OTHERS: ReadonlySet<string> = new Set(
  (
    'Batch BatchTool CronCreate CronDelete CronList EnterPlanMode EnterWorktree ExitWorktree LSP ListMcpResources Monitor NotebookEdit ' +
    'NotebookRead PushNotification ReadMcpResource ReadMcpResourceDir SaveMemory ScheduleWakeup SendMessage ' +
    'SlashCommand TaskCreate TaskGet TaskList TaskUpdate ToolSearch Workflow'
  )
    .split(' ')
    .map(toolNameKey),
);

export function isToolOfOthers(name: string): boolean {
  return TOOLS_OF_OTHERS.has(toolNameKey(name));
}

function nearestTool(name: string): string | undefined {
  if (isToolOfOthers(name)) return undefined;
  return nearestName(
    name,
    BUILTIN_TOOL_NAMES.flatMap((tool) => [tool, ...toolAliases(tool)]),
  );
}
