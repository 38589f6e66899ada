import type { AgentEvent, AnyTool, PermissionPort } from '@qwen/agent';
import { type ControlScope, defined } from '@qwen/protocol';
import type { EditorFiles } from '@qwen/tools';
import { AgentHost } from '../agent-host.js';
import type { AgentHostOptions, SessionStart } from '../agent-host-options.js';
import type { Configuration } from '../config/load-config.js';
import type { SessionChoice } from '../config/session-choice.js';
import { offeredAnyway } from '../config/tool-selection.js';
import type { HookReport } from '../hooks/hook-report.js';
import type { Notice } from '../notice.js';
import type { AgentServiceApi, HookServiceApi, McpServiceApi, PermissionServiceApi } from '../service-apis.js';
import { SessionSandbox } from '../session-sandbox.js';
import { sessionOptions, startOf } from '../session-start.js';

/** What a session needs from its user: an app over the control channel, or a person at the terminal. */
export interface HostServices {
  readonly mcp: Pick<McpServiceApi, 'tools' | 'beforeFirstTurn'>;
  readonly hook: Pick<HookServiceApi, 'hooks' | 'about'>;
  readonly agent: AgentServiceApi;
  readonly permission: Omit<PermissionServiceApi, 'buildPermissionSuggestions'>;
}

/** No app registers hooks: a person at the terminal or a script runs the program. */
export const NO_HOOKS = { hooks: [], about: () => [] } as const;

export interface HostWiring {
  readonly configuration: Configuration;
  readonly session: SessionChoice;
  readonly service: () => HostServices;
  readonly publish: (event: AgentEvent) => Promise<void>;
  readonly announce: (notice: Notice) => void;
  readonly reportHook?: (report: HookReport) => void;
  /** The session and prompt that questions concern; read per question. Default: the only session. */
  readonly place?: () => ControlScope;
  readonly permissions?: PermissionPort;
  readonly roots?: readonly string[];
  readonly moreTools?: () => readonly AnyTool[];
  readonly start?: Partial<SessionStart>;
  /** Whether a user sees each step. Default false. */
  readonly isWatched?: boolean;
  readonly editor?: EditorFiles;
  /** Awaited before the session opens. Must not reject. */
  readonly opensAfter?: () => Promise<unknown>;
}

export function createHost(wiring: HostWiring): AgentHost {
  const { configuration, session, service, publish, moreTools, start, place } = wiring;
  const sandbox = new SessionSandbox(configuration, () => {
    const { permission } = service();
    return {
      permissions: wiring.permissions ?? (place === undefined ? permission : permission.about(place)),
      mayAsk: wiring.isWatched === true || permission.answersQuestions,
      roots: wiring.roots ?? [configuration.cwd, ...configuration.additionalRoots],
    };
  });
  return new AgentHost({
    ...sessionOptions(configuration, session),
    start: { ...startOf(configuration), ...start },
    prepare: () => prepare(wiring, sandbox),
    sandbox,
    toolNames: offeredAnyway(configuration.tools),
    moreTools: () => [...service().mcp.tools, ...(moreTools?.() ?? [])],
    publish,
  });
}

async function prepare(wiring: HostWiring, sandbox: SessionSandbox): ReturnType<AgentHostOptions['prepare']> {
  const { configuration, session, announce, reportHook, place, permissions, roots, opensAfter, isWatched, editor } =
    wiring;
  await opensAfter?.();
  const { mcp, hook, agent, permission } = wiring.service();
  // Loads the engine first: an `initialize` after the prompt may still add servers the first turn waits for.
  const { prepareSession } = await import('../compose.js');
  const composition = {
    configuration,
    session,
    sandbox,
    permissions: permissions ?? (place === undefined ? permission : permission.about(place)),
    registeredHooks: () => (place === undefined ? hook.hooks : hook.about(place)),
    agents: () => agent.agents,
    answersQuestions: () => permission.answersQuestions,
    announce,
    ...defined({ isWatched, roots, reportHook, editor }),
  };
  const [create] = await Promise.all([prepareSession(composition), mcp.beforeFirstTurn()]);
  return create;
}
