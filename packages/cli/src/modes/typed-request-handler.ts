import { toHintLine } from '@qwen/commands';
import type { HintService } from '@qwen/host/commands/hint-service.js';
import type { Configuration } from '@qwen/host/config/load-config.js';
import type { LiveSession } from '@qwen/host/sessions/live-session.js';
import type { CancelRequest, HintCancel, HintRequest, TypedRequest } from '@qwen/protocol/openai';
import type { ControlService } from '../control/control-service.js';
import type { LineOrigin } from '../dialects/openai/line-parts.js';
import { type CancelOutcome, cancelLine, heartbeatLine, sessionEventLine } from '../dialects/openai/result-lines.js';

export interface TypedSessions {
  readonly latest: LiveSession;
  /** Default: the latest session. Undefined if it does not run here. */
  running(sessionId: string | null | undefined): LiveSession | undefined;
}

export interface TypedOutput {
  originOf(session: LiveSession): LineOrigin;
  writeLine(line: object): void;
}

export interface TypedRequestHandlerOptions {
  readonly sessions: TypedSessions;
  readonly output: TypedOutput;
  readonly configuration: Configuration;
  readonly service: Pick<ControlService, 'answer'>;
}

const KNOWN_REASONS: ReadonlySet<string> = new Set(['escape', 'keyboard_interrupt', 'timeout']);

/** Answers heartbeats, cancels and hints at once, even during a turn. */
export class TypedRequestHandler {
  readonly #options: TypedRequestHandlerOptions;
  #hints: Promise<HintService> | undefined;

  constructor(options: TypedRequestHandlerOptions) {
    this.#options = options;
  }

  take(request: TypedRequest): void {
    switch (request.type) {
      case 'heartbeat_request':
        return this.#answerHeartbeat(request);
      case 'control/cancel':
        return this.#cancel(request);
      case 'command_hint_request':
        return this.#hint(request);
      case 'command_hint_cancel':
        return this.#cancelHint(request);
    }
  }

  /** A periodic heartbeat. */
  beat(session: LiveSession): void {
    const { output } = this.#options;
    output.writeLine(heartbeatLine(output.originOf(session)));
  }

  /** Reports the cancellation of a request that never got a turn. */
  emitCancelled(session: LiveSession): void {
    const { output } = this.#options;
    const news = { event: 'USER_CANCELLED', message: 'User cancelled the request.' } as const;
    output.writeLine(sessionEventLine(output.originOf(session), news));
  }

  async close(): Promise<void> {
    await (await this.#hints?.catch(() => undefined))?.close();
  }

  /** Echoes the given ids, even those of unknown sessions. */
  #answerHeartbeat({
    session_id: sessionId,
    prompt_id: promptId,
  }: {
    session_id?: unknown;
    prompt_id?: unknown;
  }): void {
    const { output, sessions } = this.#options;
    const { promptId: _running, ...line } = output.originOf(sessions.latest);
    const origin = {
      ...line,
      ...(typeof sessionId === 'string' && sessionId !== '' && { sessionId }),
      ...(typeof promptId === 'string' && { promptId }),
    };
    output.writeLine(heartbeatLine(origin));
  }

  #cancel(request: CancelRequest): void {
    const { output, sessions, service } = this.#options;
    const { session_id: sessionId, prompt_id: promptId, reason, request_id: requestId } = request;
    const session = sessions.running(sessionId);
    const inFlight = session?.promptInFlight;
    const withReason = reason && !KNOWN_REASONS.has(reason) ? { reason } : {};
    const isMeant = promptId === undefined || promptId === null || promptId === inFlight;
    const origin = { ...output.originOf(session ?? sessions.latest), ...(sessionId && { sessionId }) };
    const name = promptId ?? inFlight;
    const named = { ...origin, ...(name !== undefined && { promptId: name }) };
    let outcome: CancelOutcome;
    if (session === undefined)
      outcome = { status: 'noop', message: `This process has no session ${sessionId}.`, ...withReason };
    else if (!isMeant) outcome = { status: 'noop', message: `The prompt ${promptId} is not running.`, ...withReason };
    else if (inFlight === undefined || session.isIdle)
      outcome = { status: 'noop', message: 'Nothing is running.', ...withReason };
    else outcome = { status: 'ok', ...withReason };
    output.writeLine(cancelLine(named, outcome));
    if (requestId) service.answer(requestId, { status: outcome.status });
    // The answer comes first; lines of the turn follow it.
    if (outcome.status === 'ok') session?.cancel();
  }

  #hint(request: HintRequest): void {
    const session = this.#options.sessions.running(request.session_id) ?? this.#options.sessions.latest;
    this.#loadHints()
      .then((hints) => hints.request(request, session))
      .catch(() => undefined);
  }

  #cancelHint(request: HintCancel): void {
    const session = this.#options.sessions.running(request.session_id) ?? this.#options.sessions.latest;
    this.#hints?.then((hints) => hints.cancel(request, session)).catch(() => undefined);
  }

  #loadHints(): Promise<HintService> {
    this.#hints ??= import('@qwen/host/commands/hint-service.js').then(({ HintService }) => {
      const { output, configuration } = this.#options;
      return new HintService({
        configuration,
        onAnswer: (answer, askedAs) => output.writeLine(toHintLine(answer, askedAs)),
      });
    });
    return this.#hints;
  }
}
