import type { AgentHost } from '@qwen/host/agent-host.js';
import type { SessionCommands } from '@qwen/host/commands/session-commands.js';
import type { TurnCommands } from '@qwen/host/commands/turn-commands.js';
import type { HostTools } from '@qwen/host/sessions/host-tools.js';
import type { PromptIds } from '@qwen/host/sessions/prompt-ids.js';
import { AgentError } from '@qwen/protocol';
import type { ChatRequest, OpenAiMessage } from '@qwen/protocol/openai';
import { bind } from './chat-router.js';
import { toInvocation } from './command-runner.js';
import { mayReferToFiles, type PlannedCommand, type PlannedInput, planInput } from './plan-input.js';
import { hostToolsOf, type NamedTool, overridesOf } from './request-options.js';
import { seedHistory } from './seed-history.js';

export interface ChatTurnsOptions {
  readonly host: AgentHost;
  readonly prompts: PromptIds;
  readonly hostTools: HostTools;
  readonly isNew: () => boolean;
  readonly ownTools: () => readonly NamedTool[];
  readonly commands: () => Promise<SessionCommands>;
  readonly turns: () => Promise<TurnCommands>;
}

export type ChatStep = () => Promise<void>;

interface NewTurn {
  readonly request: ChatRequest;
  readonly turnId: string;
}

/**
 * Chat requests for the only session of an SDK process. Each request has one result, except answers of the host to a
 * call.
 */
export class ChatTurns {
  readonly #options: ChatTurnsOptions;

  constructor(options: ChatTurnsOptions) {
    this.#options = options;
  }

  /** Returns the step to queue with the prompts, if any. Throws `session_not_found` or `invalid_message`. */
  take(request: ChatRequest, history: readonly OpenAiMessage[]): ChatStep | undefined {
    const { host, hostTools } = this.#options;
    const { session_id: sessionId } = request;
    if (sessionId && sessionId !== '_new' && sessionId !== host.sessionId) {
      throw new AgentError(
        'session_not_found',
        `session_id: "${sessionId}" is not in this process, which has only the session ${host.sessionId}`,
      );
    }
    const plan = planInput(request);
    if (plan.kind !== 'tool_response') return () => this.#begin(plan, { request, history });
    // Answered at once: queued prompts wait for the turn of this call.
    hostTools.answer(plan.callId, plan.result);
    return undefined;
  }

  async #begin(
    plan: PlannedInput,
    { request, history }: { readonly request: ChatRequest; readonly history: readonly OpenAiMessage[] },
  ): Promise<void> {
    await this.#seed(history);
    const turn = { request, turnId: crypto.randomUUID() };
    switch (plan.kind) {
      case 'prompt': {
        const { content, references } = plan;
        const prompt = this.#toPrompt(turn, content);
        if (references.length === 0 && !mayReferToFiles(content)) return this.#options.host.submit(prompt);
        return (await this.#options.turns()).submit(prompt, references);
      }
      case 'command':
        return this.#run(turn, plan.command);
      case 'tool_run': {
        const { name, input, callId = `call_${crypto.randomUUID()}`, isClientInitiated } = plan;
        this.#name(turn);
        return this.#options.host.runTool({ uuid: turn.turnId, callId, name, input, isClientInitiated });
      }
      case 'note':
        await this.#options.host.inject(plan.text);
        return (await this.#options.turns()).confirm(turn.turnId);
      case 'tool_response':
        return;
    }
  }

  async #run(turn: NewTurn, planned: PlannedCommand): Promise<void> {
    const turns = await this.#options.turns();
    const invocation = toInvocation(await this.#options.commands(), planned);
    const prompt = this.#toPrompt(turn, planned.line ?? '');
    if (invocation === undefined) return turns.submit(prompt);
    const isReported = turn.request.options?.command_mode === 'report';
    return turns.run(prompt, invocation, isReported ? 'reported' : 'run');
  }

  #toPrompt(turn: NewTurn, content: string | Extract<PlannedInput, { kind: 'prompt' }>['content']) {
    const { host, hostTools, ownTools } = this.#options;
    const { request, turnId } = turn;
    const own = ownTools();
    const declared = hostToolsOf(request, own);
    if (declared.length > 0) {
      hostTools.declare(declared);
      host.refreshTools();
    }
    const overrides = overridesOf(request, { own, host: hostTools.list });
    this.#name(turn);
    return { uuid: turnId, content, ...(overrides !== undefined && { overrides }) };
  }

  #name({ request, turnId }: NewTurn): void {
    const promptId = request.prompt_id ?? request.tool_request?.prompt_id;
    if (promptId) bind({ session: this.#options, request, promptId, turnId });
  }

  async #seed(history: readonly OpenAiMessage[]): Promise<void> {
    const { host, isNew } = this.#options;
    if (history.length === 0 || !isNew()) return;
    const { records, systemPrompt } = seedHistory(history, new Date().toISOString());
    if (systemPrompt !== undefined) host.setOverrides({ appendSystemPrompt: systemPrompt });
    if (records.length > 0) await host.restore([...records]);
  }
}
