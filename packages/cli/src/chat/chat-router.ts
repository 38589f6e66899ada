import type { LiveSession } from '@qwen/host/sessions/live-session.js';
import type { SessionPool } from '@qwen/host/sessions/session-pool.js';
import { AgentError, type ContentBlock, type SDKUserMessage } from '@qwen/protocol';
import type { ChatRequest, CommandReference, OpenAiMessage } from '@qwen/protocol/openai';
import type { CommandRunner } from './command-runner.js';
import type { Intake } from './intake.js';
import { mayReferToFiles, type PlannedInput, planInput } from './plan-input.js';
import type { NamedTool } from './request-options.js';
import { hostToolsOf, overridesOf } from './request-options.js';
import { seedHistory } from './seed-history.js';

export interface ChatRouterOptions {
  readonly pool: SessionPool;
  readonly commands: CommandRunner;
  /** Tools other than those of the host, across all sessions. */
  readonly ownTools: () => readonly NamedTool[];
}

export interface ChatArrival {
  readonly request: ChatRequest;
  /** Earlier messages; used only for a new session. */
  readonly history: readonly OpenAiMessage[];
  /** Reports the failure to the sender, with the session if known. */
  readonly refuse: (error: AgentError, session?: LiveSession) => void;
}

/** Routes requests to their sessions: serial within a session, parallel across sessions. */
export class ChatRouter {
  readonly #options: ChatRouterOptions;

  constructor(options: ChatRouterOptions) {
    this.#options = options;
  }

  take(arrival: ChatArrival): void {
    const { request, refuse } = arrival;
    let session: LiveSession | undefined;
    try {
      const plan = planInput(request);
      session = this.#options.pool.take(request.session_id);
      if (plan.kind === 'tool_response') session.hostTools.answer(plan.callId, plan.result);
      else this.#queue(session, plan, arrival);
    } catch (thrown) {
      refuse(AgentError.from(thrown), session);
    }
  }

  /** Resumes the session that the message names, else the current one. */
  takeMessage(message: SDKUserMessage, refuse: ChatArrival['refuse']): void {
    const { pool } = this.#options;
    const { content } = message.message;
    const session = pool.running(message.session_id) ?? pool.latest;
    const text = typeof content === 'string' ? content : '';
    const parts = [{ type: 'text' as const, text }];
    const request: ChatRequest = { session_id: session.sessionId, input: { origin: 'user', parts } };
    try {
      const plan = typeof content === 'string' ? planInput(request) : toPrompt(content);
      this.#queue(pool.take(session.sessionId), plan, {
        request,
        history: [],
        refuse,
        turnId: message.uuid ?? undefined,
      });
    } catch (thrown) {
      refuse(AgentError.from(thrown), session);
    }
  }

  #queue(
    session: LiveSession,
    plan: PlannedInput,
    arrival: ChatArrival & { readonly turnId?: string | undefined },
  ): void {
    const { request, refuse } = arrival;
    let promptId = request.prompt_id ?? request.tool_request?.prompt_id ?? undefined;
    session.inputs.add({
      promptId: () => promptId,
      take: async (signal) => {
        await session.whenCounted();
        promptId ??= session.prompts.next();
        const intake = { session, request, promptId, signal, turnId: arrival.turnId ?? crypto.randomUUID() };
        await this.#seed(session, arrival.history);
        await this.#take(intake, plan);
      },
      refuse: (error) => {
        const isBetweenTurns = session.host.turnInFlight === undefined;
        if (error.code !== 'cancelled' || !isBetweenTurns || promptId === undefined) refuse(error, session);
        else void this.#endUnbegun(session, promptId);
      },
    });
  }

  async #endUnbegun(session: LiveSession, promptId: string): Promise<void> {
    const turnId = crypto.randomUUID();
    session.prompts.rebind(turnId, promptId);
    await session.tellCancelled(turnId);
  }

  async #take(intake: Intake, plan: PlannedInput): Promise<void> {
    const { session, promptId } = intake;
    switch (plan.kind) {
      case 'prompt':
        return this.#submit(intake, plan.content, plan.references);
      case 'command': {
        const next = await this.#options.commands.run(intake, plan.command);
        if (next === undefined) return;
        // Text that is not a command goes to the model unchanged; output of a command already includes its files.
        if (next.isPlain) await this.#submit(intake, next.content, []);
        else this.#hand(intake, next.content);
        return;
      }
      case 'tool_run': {
        const { name, input, callId = `call_${crypto.randomUUID()}`, isClientInitiated } = plan;
        bind(intake);
        session.host.runTool({ uuid: intake.turnId, callId, name, input, isClientInitiated });
        return;
      }
      case 'note':
        await session.host.inject(plan.text);
        return this.#options.commands.confirmNote(session, promptId);
      case 'tool_response':
        return;
    }
  }

  async #submit(
    intake: Intake,
    content: string | ContentBlock[],
    references: readonly CommandReference[],
  ): Promise<void> {
    const isPlain = references.length === 0 && !mayReferToFiles(content);
    if (isPlain) this.#hand(intake, content);
    else this.#hand(intake, await this.#options.commands.withFiles(intake, content, references));
  }

  #hand(intake: Intake, content: string | readonly ContentBlock[]): void {
    const { session, request, turnId, signal } = intake;
    signal.throwIfAborted();
    const own = this.#options.ownTools();
    const hostTools = hostToolsOf(request, own);
    if (hostTools.length > 0) {
      session.hostTools.declare(hostTools);
      session.host.refreshTools();
    }
    const overrides = overridesOf(request, { own, host: session.hostTools.list });
    bind(intake);
    session.host.submit({ uuid: turnId, content, ...(overrides !== undefined && { overrides }) });
  }

  async #seed(session: LiveSession, history: readonly OpenAiMessage[]): Promise<void> {
    if (history.length === 0 || !session.isNew) return;
    const { records, systemPrompt } = seedHistory(history, new Date().toISOString());
    if (systemPrompt !== undefined) session.host.setOverrides({ appendSystemPrompt: systemPrompt });
    if (records.length > 0) await session.host.restore([...records]);
  }
}

type NamedTurn = Pick<Intake, 'request' | 'promptId' | 'turnId'> & { readonly session: Pick<LiveSession, 'prompts'> };

/** Links the prompt id to the turn. A resumed turn may keep its id. */
export function bind({ session, request, promptId, turnId }: NamedTurn): void {
  if (request.continuation === true) session.prompts.rebind(turnId, promptId);
  else session.prompts.bind(turnId, promptId);
}

function toPrompt(content: readonly ContentBlock[]): PlannedInput {
  return { kind: 'prompt', content: [...content], references: [] };
}
