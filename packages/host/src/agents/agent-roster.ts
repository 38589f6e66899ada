import type { AgentConfig } from '@qwen/protocol';

/** The subagents of a session: those that the app named, and behind them those of files. */
export class AgentRoster {
  readonly #ofFiles: readonly AgentConfig[];
  #ofApp: readonly AgentConfig[] = [];

  constructor(ofFiles: readonly AgentConfig[]) {
    this.#ofFiles = ofFiles;
  }

  /** One for each name: the app's, else that of the first file. */
  get agents(): readonly AgentConfig[] {
    const byName = new Map<string, AgentConfig>();
    for (const agent of [...this.#ofApp, ...this.#ofFiles]) {
      if (!byName.has(agent.name)) byName.set(agent.name, agent);
    }
    return [...byName.values()];
  }

  /** Replaces those that the app named before. */
  setOfApp(agents: readonly AgentConfig[]): void {
    this.#ofApp = agents;
  }
}
