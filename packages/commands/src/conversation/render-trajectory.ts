import {
  addUsage,
  contentText,
  defined,
  isJsonObject,
  NO_USAGE,
  QWEN_VERSION,
  type SessionRecord,
  type Usage,
} from '@qwen/protocol';

/** Agent Trajectory Interchange Format, as read by Harbor and others. */
const ATIF_VERSION = 'ATIF-v1.7';

interface Metrics {
  /** Cached tokens included. */
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cached_tokens?: number;
  readonly cost_usd?: number;
}

interface ObservationResult {
  readonly source_call_id: string;
  readonly content: string;
  readonly subagent_trajectory_ref?: readonly { readonly trajectory_id: string }[];
  readonly extra?: { readonly is_error: true };
}

interface Step {
  readonly step_id: number;
  readonly timestamp: string;
  readonly source: 'system' | 'user' | 'agent';
  readonly message: string;
  readonly model_name?: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly {
    readonly tool_call_id: string;
    readonly function_name: string;
    readonly arguments: Readonly<Record<string, unknown>>;
  }[];
  observation?: { readonly results: ObservationResult[] };
  readonly metrics?: Metrics;
  readonly llm_call_count?: number;
  readonly is_copied_context?: true;
}

export interface Trajectory {
  readonly schema_version: string;
  readonly session_id: string;
  readonly trajectory_id: string;
  readonly agent: { readonly name: string; readonly version: string; readonly model_name?: string };
  readonly steps: readonly Step[];
  readonly final_metrics: {
    readonly total_prompt_tokens: number;
    readonly total_completion_tokens: number;
    readonly total_cached_tokens: number;
    readonly total_cost_usd?: number;
    readonly total_steps: number;
  };
  readonly subagent_trajectories?: readonly Trajectory[];
}

interface Scope {
  readonly sessionId: string;
  /** The `task` call of a subagent. */
  readonly parent: string | undefined;
}

/** Pure. Records of subagents become trajectories, to which the results of their calls refer. */
export function toTrajectory(records: readonly SessionRecord[], sessionId: string): Trajectory {
  return build(records, { sessionId, parent: undefined });
}

function build(records: readonly SessionRecord[], scope: Scope): Trajectory {
  const own = records.filter((record) => parentOf(record) === scope.parent);
  const callers = new Set(records.map(parentOf).filter((parent) => parent !== undefined && parent !== scope.parent));
  const steps = new Steps(scope.parent === undefined ? callers : new Set());
  for (const record of own) steps.add(record);
  const subagents =
    scope.parent === undefined
      ? [...callers].map((parent) => build(records, { sessionId: scope.sessionId, parent }))
      : [];
  const usage = usageOf(own);
  const model = steps.all.findLast((step) => step.model_name !== undefined)?.model_name;
  return {
    schema_version: ATIF_VERSION,
    session_id: scope.sessionId,
    trajectory_id: scope.parent ?? scope.sessionId,
    agent: { name: 'qwen', version: QWEN_VERSION, ...(model !== undefined && { model_name: model }) },
    steps: steps.all,
    final_metrics: {
      total_prompt_tokens: usage.input_tokens,
      total_completion_tokens: usage.output_tokens,
      total_cached_tokens: usage.cache_read_input_tokens ?? 0,
      ...(usage.cost_usd !== undefined && { total_cost_usd: usage.cost_usd }),
      total_steps: steps.all.length,
    },
    ...(subagents.length > 0 && { subagent_trajectories: subagents }),
  };
}

class Steps {
  readonly all: Step[] = [];
  readonly #subagents: ReadonlySet<string | undefined>;
  readonly #byCall = new Map<string, Step>();

  constructor(subagents: ReadonlySet<string | undefined>) {
    this.#subagents = subagents;
  }

  add(record: SessionRecord, isCopied = false): void {
    const copied = isCopied ? { is_copied_context: true as const } : {};
    switch (record.type) {
      case 'user':
        this.#push({ timestamp: record.at, source: 'user', message: contentText(record.content), ...copied });
        break;
      case 'note':
        this.#push({ timestamp: record.at, source: 'system', message: record.text, ...copied });
        break;
      case 'compaction':
        this.#push({ timestamp: record.at, source: 'system', message: record.summary });
        break;
      case 'assistant':
        this.#addAnswer(record, copied);
        break;
      case 'tool_result':
        this.#addResult(record);
        break;
      case 'restored':
        for (const restored of record.records) this.add(restored, true);
        break;
      default:
        break;
    }
  }

  #addAnswer(record: Extract<SessionRecord, { type: 'assistant' }>, copied: Pick<Step, 'is_copied_context'>): void {
    const thinking = record.content.flatMap((block) => (block.type === 'thinking' ? [block.thinking] : [])).join('\n');
    const calls = record.content.filter((block) => block.type === 'tool_use');
    const isOfClient = record.requested_by === 'client';
    const step = this.#push({
      timestamp: record.at,
      source: 'agent',
      message: contentText(record.content),
      ...(!isOfClient && { model_name: record.model, metrics: toMetrics(record.usage) }),
      ...(isOfClient && { llm_call_count: 0 }),
      ...(thinking !== '' && { reasoning_content: thinking }),
      ...(calls.length > 0 && {
        tool_calls: calls.map(({ id, name, input }) => ({
          tool_call_id: id,
          function_name: name,
          arguments: isJsonObject(input) ? input : { input },
        })),
      }),
      ...copied,
    });
    for (const { id } of calls) this.#byCall.set(id, step);
  }

  /** Belongs to the step that made the call. */
  #addResult({ tool_use_id: id, content, is_error: isError }: Extract<SessionRecord, { type: 'tool_result' }>): void {
    const step = this.#byCall.get(id);
    if (step === undefined) return;
    step.observation ??= { results: [] };
    step.observation.results.push({
      source_call_id: id,
      content: contentText(content),
      ...(this.#subagents.has(id) && { subagent_trajectory_ref: [{ trajectory_id: id }] }),
      ...(isError && { extra: { is_error: true } }),
    });
  }

  #push(step: Omit<Step, 'step_id'>): Step {
    const numbered = { step_id: this.all.length + 1, ...step };
    this.all.push(numbered);
    return numbered;
  }
}

/** Turns include summaries and subagents; without ends of turns, the answers are added up. */
function usageOf(records: readonly SessionRecord[]): Usage {
  const turns = records.flatMap((record) => (record.type === 'turn_end' ? [record.usage] : []));
  const answers = records.flatMap((record) => (record.type === 'assistant' ? [record.usage] : []));
  return (turns.length > 0 ? turns : answers).reduce(addUsage, NO_USAGE);
}

function toMetrics(usage: Usage): Metrics {
  const { input_tokens, output_tokens, cache_read_input_tokens: cached, cost_usd: cost } = usage;
  return {
    prompt_tokens: input_tokens,
    completion_tokens: output_tokens,
    ...defined({ cached_tokens: cached, cost_usd: cost }),
  };
}

function parentOf(record: SessionRecord): string | undefined {
  return 'parent_tool_use_id' in record ? record.parent_tool_use_id : undefined;
}
