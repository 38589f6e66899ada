import { toAgentConfigs } from '@qwen/host/agents/agent-configs.js';
import { AgentRoster } from '@qwen/host/agents/agent-roster.js';
import type { AgentServiceApi } from '@qwen/host/service-apis.js';
import type { AgentConfig } from '@qwen/protocol';
import type { Controller, InitializePayload } from './controller.js';

export class AgentController implements Controller, AgentServiceApi {
  readonly handlers = {};
  readonly #roster: AgentRoster;

  constructor(ofFiles: readonly AgentConfig[]) {
    this.#roster = new AgentRoster(ofFiles);
  }

  get agents(): readonly AgentConfig[] {
    return this.#roster.agents;
  }

  checkInitialize({ agents }: InitializePayload): void {
    toAgentConfigs(agents ?? []);
  }

  /** A later `initialize` replaces the agents, unless it names none. */
  onInitialize({ agents }: InitializePayload): void {
    if (agents !== undefined) this.#roster.setOfApp(toAgentConfigs(agents ?? []));
  }
}
