import { AgentError, canonicalToolName } from '@qwen/protocol';

/**
 * Rules such as `Bash(git *)`, `Bash(git status:*)`, `Read(.env)`, `Edit(/src/**)`, `mcp__server`, `*`. Tool names
 * ignore case. A leading `/` is the workspace, `//` the file system, `~/` the home folder; a name without `/`
 * matches at any depth. Deny wins over ask, ask over allow.
 */
export interface PermissionRules {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
  /** Limits the calls of a tool to those that one of its rules covers. Default: no limits. */
  readonly only?: readonly string[];
}

export const NO_RULES: PermissionRules = { allow: [], ask: [], deny: [] };

export interface ParsedRule {
  readonly text: string;
  readonly tool: string;
  readonly specifier: string | undefined;
}

const RULE = /^([A-Za-z_*][\w.*-]*)(?:\(([\s\S]*)\))?$/;
const MCP_SERVER = /^mcp__(?:(?!__)[^*])+$/;

/** Throws `usage`: an invalid rule must not be ignored. */
export function parseRule(text: string): ParsedRule {
  const match = RULE.exec(text.trim());
  const name = match?.[1];
  const specifier = match?.[2]?.trim();
  // `mcp__db__` and `Bash(:*)` would match nothing, which a deny rule must not.
  const isEmpty = specifier === '' || specifier === ':*' || /^mcp__(?:.*__)?$/i.test(name ?? '');
  if (name === undefined || isEmpty || name.slice(0, -1).includes('*')) {
    throw new AgentError(
      'usage',
      `Invalid permission rule: ${JSON.stringify(text)}. Write it as Tool or Tool(pattern).`,
    );
  }
  const tool = MCP_SERVER.test(name) ? `${name}__*` : canonicalToolName(name);
  return { text, tool, specifier: specifier === '*' || specifier === '**' ? undefined : specifier };
}

/** Names of MCP servers may differ in case only. */
export function spellsTool({ tool }: ParsedRule, toolName: string): boolean {
  if (!/^mcp__/i.test(tool)) return true;
  return tool.endsWith('*') ? toolName.startsWith(tool.slice(0, -1)) : toolName === tool;
}

export function namesTool(rule: ParsedRule, toolNames: readonly string[]): boolean {
  const wanted = rule.tool.toLowerCase();
  const isMatch = wanted.endsWith('*')
    ? (name: string) => name.startsWith(wanted.slice(0, -1))
    : (name: string) => name === wanted;
  return toolNames.some((name) => isMatch(name.toLowerCase()) || isMatch(canonicalToolName(name)));
}
