import type { AgentEvent, AnyTool, PermissionPort } from '@qwen/agent';
import type { ControlPlace } from '@qwen/protocol';
import { AgentHost } from '../agent-host.js';
import type { AgentHostOptions, SessionStart } from '../agent-host-options.js';
import type { Configuration } from '../config/load-config.js';
import type { SessionChoice } from '../config/session-choice.js';
import { offeredAnyway } from '../config/tool-selection.js';
import type { HookReport } from '../hooks/hook-report.js';
import type { Notice } from '../notice.js';
import type { AgentServiceApi, HookServiceApi, McpServiceApi, PermissionServiceApi } from '../service-apis.js';
import { sessionOptions, startOf } from '../session-start.js';

/** What a session asks of whoever sits at the controls: an app over the control channel, or a person at the terminal. */
export interface HostServices {
  readonly mcp: Pick<McpServiceApi, 'tools' | 'whenReady'>;
  readonly hook: Pick<HookServiceApi, 'hooks' | 'about'>;
  readonly agent: AgentServiceApi;
  readonly permission: Omit<PermissionServiceApi, 'buildPermissionSuggestions'>;
}

/** What one session is wired to. */
export interface HostWiring {
  readonly configuration: Configuration;
  readonly session: SessionChoice;
  /** There once the first prompt comes. */
  readonly service: () => HostServices;
  /** Takes each event, in order; see {@link AgentHostOptions}. */
  readonly publish: (event: AgentEvent) => Promise<void>;
  /** Puts news on the stream of this session. */
  readonly announce: (notice: Notice) => void;
  /** Takes how each hook came out. Default: nobody wants to know. */
  readonly reportHook?: (report: HookReport) => void;
  /** What questions to the app are about; read with each question. Default: the only session. */
  readonly place?: () => ControlPlace;
  /** Who is asked for permissions. Default: the app. */
  readonly permissions?: PermissionPort;
  /** The folders of the workspace. Default: those of the configuration. */
  readonly roots?: readonly string[];
  /** Tools beside the built-in ones and those of MCP servers, read afresh. Default none. */
  readonly moreTools?: () => readonly AnyTool[];
  /** How the session begins, where that differs from what the command line says. */
  readonly start?: Partial<SessionStart>;
  /** What must be over before the session opens. Must not reject. */
  readonly opensAfter?: () => Promise<unknown>;
}

/** The host of one session, whose questions, hooks and MCP servers are those of the services. */
export function createHost(wiring: HostWiring): AgentHost {
  const { configuration, session, service, publish, moreTools, start } = wiring;
  return new AgentHost({
    ...sessionOptions(configuration, session),
    start: { ...startOf(configuration), ...start },
    prepare: () => prepare(wiring),
    toolNames: offeredAnyway(configuration.tools),
    moreTools: () => [...service().mcp.tools, ...(moreTools?.() ?? [])],
    publish,
  });
}

async function prepare(wiring: HostWiring): ReturnType<AgentHostOptions['prepare']> {
  const { configuration, session, announce, reportHook, place, permissions, roots, opensAfter } = wiring;
  await opensAfter?.();
  const { mcp, hook, agent, permission } = wiring.service();
  // First the engine: an `initialize` behind the prompt may still name servers that the first turn waits for.
  const { prepareSession } = await import('../compose.js');
  const composition = {
    configuration,
    session,
    permissions: permissions ?? (place === undefined ? permission : permission.about(place)),
    registeredHooks: () => (place === undefined ? hook.hooks : hook.about(place)),
    agents: () => agent.agents,
    answersQuestions: () => permission.answersQuestions,
    announce,
    ...(roots !== undefined && { roots }),
    ...(reportHook !== undefined && { reportHook }),
  };
  const [create] = await Promise.all([prepareSession(composition), mcp.whenReady()]);
  return create;
}
