import { type AgentConfig, AgentError, agentConfigSchema, type ControlPayload, describeIssue } from '@qwen/protocol';
import { findMistypedTools } from '../config/tool-selection.js';

/** Names that Claude Code has for models of one provider: such an agent has the model of the session. */
const FOREIGN_MODELS: ReadonlySet<unknown> = new Set(['fable', 'haiku', 'opus', 'sonnet']);

export function isForeignModel(name: unknown): boolean {
  return FOREIGN_MODELS.has(name);
}

/** Names appear in logs and dialogs and are chosen by models, so they must be unambiguous. */
const AGENT_NAME = /^[\p{L}\p{N}][\p{L}\p{N} _.-]{0,63}$/u;

export function isAgentName(name: string): boolean {
  return AGENT_NAME.test(name);
}

/**
 * Normalizes both forms in which an app defines subagents: a list, or a map from name to `{description, prompt, …}`.
 * Throws `invalid_payload`.
 */
export function toAgentConfigs(agents: NonNullable<ControlPayload<'initialize'>['agents']>): readonly AgentConfig[] {
  const configs = Array.isArray(agents) ? agents.map(withOwnLimits) : Object.entries(agents).map(fromEntry);
  const names = new Set<string>();
  for (const { name, disallowedTools = [] } of configs) {
    const shown = JSON.stringify(name);
    if (!isAgentName(name)) throw refused(`${shown} is not a valid subagent name`);
    if (names.has(name)) throw refused(`duplicate subagent name ${shown}`);
    names.add(name);
    const [mistyped] = findMistypedTools(disallowedTools);
    if (mistyped === undefined) continue;
    const hint = `there is no built-in tool "${mistyped.name}"; did you mean "${mistyped.nearest}"?`;
    throw refused(`${shown}.disallowedTools: ${hint}`);
  }
  return configs;
}

/** The form of Claude's agent SDK. */
function fromEntry([name, entry]: readonly [string, Readonly<Record<string, unknown>>]): AgentConfig {
  const { prompt, maxTurns, model, ...members } = entry;
  const parsed = agentConfigSchema.safeParse({
    ...(prompt !== undefined && { systemPrompt: prompt }),
    ...(maxTurns !== undefined && { runConfig: { maxTurns } }),
    ...(!isForeignModel(model) && model !== undefined && { model }),
    ...members,
    name,
  });
  if (parsed.success) return withOwnLimits(parsed.data);
  throw refused(describeIssue(JSON.stringify(name), parsed.error));
}

function withOwnLimits(agent: AgentConfig): AgentConfig {
  if (agent.runConfig === undefined) return agent;
  const { max_turns, max_time_minutes, maxTurns = max_turns, maxTimeMinutes = max_time_minutes } = agent.runConfig;
  return {
    ...agent,
    runConfig: { ...(maxTurns !== undefined && { maxTurns }), ...(maxTimeMinutes !== undefined && { maxTimeMinutes }) },
  };
}

function refused(problem: string): AgentError {
  return new AgentError('invalid_payload', `initialize.agents: ${problem}`);
}
