import { AgentError, canonicalToolName } from '@qwen/protocol';

/**
 * Permission rules as people write them: `Bash(git *)`, `Bash(git status:*)`, `Read(.env)`, `Edit(/src/**)`,
 * `mcp__server__tool`, `mcp__server__*`, `*`. Tools go by any of their names, without regard to case. In paths a
 * leading `/` is the workspace, `//` the file system, `~/` the home folder; a name without `/` holds at any depth.
 * Deny wins over ask, ask over allow.
 */
export interface PermissionRules {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

export const NO_RULES: PermissionRules = { allow: [], ask: [], deny: [] };

/** A rule taken apart. */
export interface ParsedRule {
  /** As it was written. */
  readonly text: string;
  /** Canonical name of the tool; `*` at its end stands for any rest. */
  readonly tool: string;
  /** What stands between the parentheses; undefined when the rule is about the whole tool. */
  readonly specifier: string | undefined;
}

const RULE = /^([A-Za-z_*][\w.*-]*)(?:\(([\s\S]*)\))?$/;
const MCP_SERVER = /^mcp__(?:(?!__)[^*])+$/;

/** Reads one rule. Throws `usage` for what is not one: a rule that is not understood must not be dropped silently. */
export function parseRule(text: string): ParsedRule {
  const match = RULE.exec(text.trim());
  const name = match?.[1];
  const specifier = match?.[2]?.trim();
  if (name === undefined || specifier === '' || name.slice(0, -1).includes('*')) {
    throw new AgentError('usage', `This is not a permission rule: ${JSON.stringify(text)}`);
  }
  const tool = MCP_SERVER.test(name) ? `${name}__*` : canonicalToolName(name);
  return { text, tool, specifier: specifier === '*' || specifier === '**' ? undefined : specifier };
}

/** Whether the rule speaks of a tool of this name. */
export function namesTool(rule: ParsedRule, toolNames: readonly string[]): boolean {
  const wanted = rule.tool.toLowerCase();
  const isMatch = wanted.endsWith('*')
    ? (name: string) => name.startsWith(wanted.slice(0, -1))
    : (name: string) => name === wanted;
  return toolNames.some((name) => isMatch(name.toLowerCase()) || isMatch(canonicalToolName(name)));
}
