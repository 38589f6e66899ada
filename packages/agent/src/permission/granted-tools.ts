import type { AnyTool } from '../tool.js';

/** Only servers change their tools while a session runs. */
const SERVER_TOOL = /^mcp__/;

/** What tools of servers said about themselves when the user allowed them for good: for another tool it was not (S94). */
export class GrantedTools {
  readonly #definitions = new Map<string, string>();

  /** Notes the tools that these rules allow by their full names. */
  grant(rules: readonly string[], tools: readonly AnyTool[]): void {
    for (const tool of tools) {
      if (SERVER_TOOL.test(tool.name) && rules.includes(tool.name))
        this.#definitions.set(tool.name, definitionOf(tool));
    }
  }

  /** The names of those that say something else now, once each. A tool that is gone may come back as it was. */
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
