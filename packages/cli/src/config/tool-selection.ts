import { AgentError } from '@qwen/protocol';
import { BUILTIN_TOOL_CATALOG, BUILTIN_TOOL_NAMES } from '@qwen/tools/catalog';

/** Names of the built-in tools that the model is offered, in the order of the catalogue. */
export type ToolSelection = readonly string[];

interface SelectionFlags {
  readonly coreTools?: readonly string[];
  readonly excludeTools?: readonly string[];
}

/**
 * Applies `--core-tools` (only these) and the entries of `--exclude-tools` without brackets (not these). Peers'
 * names count. Throws `usage` for a core tool that does not exist: a typo must not silently take a tool away.
 */
export function selectTools({ coreTools, excludeTools = [] }: SelectionFlags): ToolSelection {
  const wanted = coreTools === undefined || coreTools.includes('default') ? BUILTIN_TOOL_NAMES : coreTools.map(ownName);
  const excluded = new Set(excludeTools.map(findTool));
  return BUILTIN_TOOL_NAMES.filter((name) => wanted.includes(name) && !excluded.has(name));
}

/** Those of a selection that are offered in any case: whether somebody answers questions is known only later. */
export function offeredAnyway(selection: ToolSelection): ToolSelection {
  return selection.filter((name) => name !== BUILTIN_TOOL_CATALOG.ask_user_question.name);
}

function ownName(name: string): string {
  if (name.includes('(')) {
    throw new AgentError(
      'usage',
      `--core-tools: "${name}" is a rule; rules belong in --allowed-tools, --exclude-tools`,
    );
  }
  const found = findTool(name);
  if (found === undefined) throw new AgentError('usage', `--core-tools: there is no tool called "${name}"`);
  return found;
}

function findTool(name: string): string | undefined {
  const word = name.toLowerCase();
  return Object.values(BUILTIN_TOOL_CATALOG).find(
    (entry) => entry.name === word || entry.aliases.some((alias) => alias.toLowerCase() === word),
  )?.name;
}
