/**
 * Permission rules as people write them: `Bash(git *)`, `Read(.env)`, `Edit(/src/**)`, `mcp__server__tool`.
 * Deny wins over ask, ask over allow.
 */
export interface PermissionRules {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

export const NO_RULES: PermissionRules = { allow: [], ask: [], deny: [] };
