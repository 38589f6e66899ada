import type { AgentConfig } from '@qwen/protocol';

/** Subagents of the app, then those of files. */
export class AgentRoster {
  readonly #ofFiles: readonly AgentConfig[];
  #ofApp: readonly AgentConfig[] = [];

  constructor(ofFiles: readonly AgentConfig[]) {
    this.#ofFiles = ofFiles;
  }

  /** One per name; the app's wins. */
  get agents(): readonly AgentConfig[] {
    const byName = new Map<string, AgentConfig>();
    for (const agent of [...this.#ofApp, ...this.#ofFiles]) {
      if (!byName.has(agent.name)) byName.set(agent.name, agent);
    }
    return [...byName.values()];
  }

  setOfApp(agents: readonly AgentConfig[]): void {
    this.#ofApp = agents;
  }
}
