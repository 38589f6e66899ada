import type { AgentEvent } from '@qwen/agent';
import type { ControlPlace } from '@qwen/protocol';
import { AgentHost } from '../agent-host.js';
import type { AgentHostOptions } from '../agent-host-options.js';
import type { Configuration } from '../config/load-config.js';
import type { SessionChoice } from '../config/session-choice.js';
import { offeredAnyway } from '../config/tool-selection.js';
import type { Notice } from '../control/control-context.js';
import type { ControlService } from '../control/control-service.js';
import type { HookReport } from '../hooks/hook-report.js';
import { sessionOptions, startOf } from '../session-start.js';

/** What one session of a machine mode is wired to. */
export interface HostWiring {
  readonly configuration: Configuration;
  readonly session: SessionChoice;
  /** The control channel, there once the first prompt comes. */
  readonly service: () => ControlService;
  /** Takes each event, in order; see {@link AgentHostOptions}. */
  readonly publish: (event: AgentEvent) => Promise<void>;
  /** Puts news on the stream of this session. */
  readonly announce: (notice: Notice) => void;
  /** Takes how each hook came out. Default: nobody wants to know. */
  readonly reportHook?: (report: HookReport) => void;
  /** What questions to the app are about; read with each question. Default: the only session. */
  readonly place?: () => ControlPlace;
}

/** The host of one session, whose questions, hooks and MCP servers are those of the control channel. */
export function createHost(wiring: HostWiring): AgentHost {
  const { configuration, session, service, publish } = wiring;
  return new AgentHost({
    ...sessionOptions(configuration, session),
    start: startOf(configuration),
    prepare: () => prepare(wiring),
    toolNames: offeredAnyway(configuration.tools),
    moreTools: () => service().mcp.tools,
    publish,
  });
}

async function prepare(wiring: HostWiring): ReturnType<AgentHostOptions['prepare']> {
  const { configuration, session, announce, reportHook, place } = wiring;
  const { mcp, hook, agent, permission } = wiring.service();
  // First the engine: an `initialize` behind the prompt may still name servers that the first turn waits for.
  const { prepareSession } = await import('../compose.js');
  const composition = {
    configuration,
    session,
    permissions: place === undefined ? permission : permission.about(place),
    registeredHooks: () => hook.hooks,
    agents: () => agent.agents,
    answersQuestions: () => permission.answersQuestions,
    announce,
    ...(reportHook !== undefined && { reportHook }),
  };
  const [create] = await Promise.all([prepareSession(composition), mcp.whenReady()]);
  return create;
}
