import type { AnyTool } from '../tool.js';

/** Only servers change their tools during a session. */
const SERVER_TOOL = /^mcp__/;

/** The definitions of server tools when they were allowed: the approval does not cover another definition. */
export class GrantedTools {
  readonly #definitions = new Map<string, string>();

  grant(rules: readonly string[], tools: readonly AnyTool[]): void {
    for (const tool of tools) {
      if (SERVER_TOOL.test(tool.name) && rules.includes(tool.name))
        this.#definitions.set(tool.name, definitionOf(tool));
    }
  }

  /** Names of tools whose definition changed. A tool that disappeared may come back unchanged. */
  revokeChanged(tools: readonly AnyTool[]): string[] {
    const changed = tools.filter((tool) => {
      const words = this.#definitions.get(tool.name);
      return words !== undefined && words !== definitionOf(tool);
    });
    return changed.map(({ name }) => {
      this.#definitions.delete(name);
      return name;
    });
  }
}

function definitionOf({ description, inputSchema }: AnyTool): string {
  return JSON.stringify([description, inputSchema]);
}
