import { toHintLine } from '@qwen/commands';
import type { HintedSession, HintService } from '@qwen/host/commands/hint-service.js';
import type { SessionCommands } from '@qwen/host/commands/session-commands.js';
import type { Configuration } from '@qwen/host/config/load-config.js';
import type { CancelRequest, HintCancel, HintRequest, TypedRequest } from '@qwen/protocol/openai';
import type { ControlService } from '../control/control-service.js';
import type { LineOrigin } from '../dialects/openai/line-parts.js';
import { type CancelOutcome, cancelLine, heartbeatLine, sessionEventLine } from '../dialects/openai/result-lines.js';

export interface TypedSession extends HintedSession {
  /** The prompt id of the running turn. */
  readonly promptInFlight: string | undefined;
  readonly isIdle: boolean;
  /** Returns false if nothing runs. */
  cancel(): boolean;
}

export interface TypedSessions<Session> {
  readonly latest: Session;
  /** Default: the latest session. Undefined if it does not run here. */
  running(sessionId: string | null | undefined): Session | undefined;
}

export interface TypedRequestHandlerOptions<Session extends TypedSession> {
  readonly pool: TypedSessions<Session>;
  readonly eventWriter: {
    originOf(session: Session): LineOrigin;
    say(line: object): void;
  };
  readonly configuration: Configuration;
  readonly commandsOf: (session: Session) => Promise<SessionCommands>;
}

const KNOWN_REASONS: ReadonlySet<string> = new Set(['escape', 'keyboard_interrupt', 'timeout']);

/** Answers heartbeats, cancels and hints at once, even during a turn. */
export class TypedRequestHandler<Session extends TypedSession> {
  readonly #options: TypedRequestHandlerOptions<Session>;
  #hints: Promise<HintService<Session>> | undefined;

  constructor(options: TypedRequestHandlerOptions<Session>) {
    this.#options = options;
  }

  take(request: TypedRequest, service: ControlService): void {
    switch (request.type) {
      case 'heartbeat_request':
        return this.#answerHeartbeat(request);
      case 'control/cancel':
        return this.#cancel(request, service);
      case 'command_hint_request':
        return this.#hint(request);
      case 'command_hint_cancel':
        return this.#cancelHint(request);
    }
  }

  /** A periodic heartbeat. */
  beat(session: Session): void {
    const { eventWriter } = this.#options;
    eventWriter.say(heartbeatLine(eventWriter.originOf(session)));
  }

  /** Reports the cancellation of a request that never got a turn. */
  tellCancelled(session: Session): void {
    const { eventWriter } = this.#options;
    const news = { event: 'USER_CANCELLED', message: 'User cancelled the request.' } as const;
    eventWriter.say(sessionEventLine(eventWriter.originOf(session), news));
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
    const { eventWriter, pool } = this.#options;
    const { promptId: _running, ...line } = eventWriter.originOf(pool.latest);
    const origin = {
      ...line,
      ...(typeof sessionId === 'string' && sessionId !== '' && { sessionId }),
      ...(typeof promptId === 'string' && { promptId }),
    };
    eventWriter.say(heartbeatLine(origin));
  }

  #cancel(request: CancelRequest, service: ControlService): void {
    const { eventWriter, pool } = this.#options;
    const { session_id: sessionId, prompt_id: promptId, reason, request_id: requestId } = request;
    const session = pool.running(sessionId);
    const inFlight = session?.promptInFlight;
    const told = reason && !KNOWN_REASONS.has(reason) ? { reason } : {};
    const isMeant = promptId === undefined || promptId === null || promptId === inFlight;
    const origin = { ...eventWriter.originOf(session ?? pool.latest), ...(sessionId && { sessionId }) };
    const name = promptId ?? inFlight;
    const named = { ...origin, ...(name !== undefined && { promptId: name }) };
    let outcome: CancelOutcome;
    if (session === undefined)
      outcome = { status: 'noop', message: `This process has no session ${sessionId}.`, ...told };
    else if (!isMeant) outcome = { status: 'noop', message: `The prompt ${promptId} is not running.`, ...told };
    else if (inFlight === undefined || session.isIdle)
      outcome = { status: 'noop', message: 'Nothing is running.', ...told };
    else outcome = { status: 'ok', ...told };
    eventWriter.say(cancelLine(named, outcome));
    if (requestId) service.answer(requestId, { status: outcome.status });
    // After the answer, so that lines of the turn follow it.
    if (outcome.status === 'ok') session?.cancel();
  }

  #hint(request: HintRequest): void {
    const session = this.#options.pool.running(request.session_id) ?? this.#options.pool.latest;
    this.#loadHints()
      .then((hints) => hints.request(request, session))
      .catch(() => undefined);
  }

  #cancelHint(request: HintCancel): void {
    const session = this.#options.pool.running(request.session_id) ?? this.#options.pool.latest;
    this.#hints?.then((hints) => hints.cancel(request, session)).catch(() => undefined);
  }

  #loadHints(): Promise<HintService<Session>> {
    this.#hints ??= import('@qwen/host/commands/hint-service.js').then(({ HintService }) => {
      const { eventWriter, commandsOf, configuration } = this.#options;
      return new HintService<Session>({
        commandsOf,
        configuration,
        onAnswer: (answer, askedAs) => eventWriter.say(toHintLine(answer, askedAs)),
      });
    });
    return this.#hints;
  }
}
