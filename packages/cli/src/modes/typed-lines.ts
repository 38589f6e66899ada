import { toHintLine } from '@qwen/commands';
import type { HintDesk, HintedSession } from '@qwen/host/commands/hint-desk.js';
import type { SessionCommands } from '@qwen/host/commands/session-commands.js';
import type { Configuration } from '@qwen/host/config/load-config.js';
import type { CancelRequest, HintCancel, HintRequest, TypedRequest } from '@qwen/protocol/openai';
import type { ControlService } from '../control/control-service.js';
import type { LineOrigin } from '../dialects/openai/line-parts.js';
import { type CancelOutcome, cancelLine, heartbeatLine, sessionEventLine } from '../dialects/openai/result-lines.js';

/** A session as far as such lines ask for it. */
export interface TypedSession extends HintedSession {
  /** What the host calls what would be stopped now; undefined when there is nothing. */
  readonly promptInFlight: string | undefined;
  readonly isIdle: boolean;
  /** Stops what runs. False when there is nothing. */
  cancel(): boolean;
}

/** Those that run here. */
export interface TypedSessions<Session> {
  readonly latest: Session;
  /** A missing name means the latest one. Undefined for one that does not run here. */
  running(sessionId: string | null | undefined): Session | undefined;
}

export interface TypedLinesOptions<Session extends TypedSession> {
  readonly pool: TypedSessions<Session>;
  readonly voice: {
    /** Where a line about this session would come from now. */
    originOf(session: Session): LineOrigin;
    /** Says at once what no event says. */
    say(line: object): void;
  };
  readonly configuration: Configuration;
  readonly commandsOf: (session: Session) => Promise<SessionCommands>;
}

const KNOWN_REASONS: ReadonlySet<string> = new Set(['escape', 'keyboard_interrupt', 'timeout']);

/** Answers heartbeats, cancels and hints at once, whatever runs (groups G, H, I). Nothing of it enters a conversation. */
export class TypedLines<Session extends TypedSession> {
  readonly #options: TypedLinesOptions<Session>;
  #hints: Promise<HintDesk<Session>> | undefined;

  constructor(options: TypedLinesOptions<Session>) {
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

  /** A sign of life that nobody asked for (H-03). */
  beat(session: Session): void {
    const { voice } = this.#options;
    voice.say(heartbeatLine(voice.originOf(session)));
  }

  /** A request was given up before its turn began: what its turn would have said (I-09). */
  tellCancelled(session: Session): void {
    const { voice } = this.#options;
    const news = { event: 'USER_CANCELLED', message: 'User cancelled the request.' } as const;
    voice.say(sessionEventLine(voice.originOf(session), news));
  }

  async close(): Promise<void> {
    await (await this.#hints?.catch(() => undefined))?.close();
  }

  /** Echoes the names that it was asked with, also those of a session that does not run here: the process lives. */
  #answerHeartbeat({
    session_id: sessionId,
    prompt_id: promptId,
  }: {
    session_id?: unknown;
    prompt_id?: unknown;
  }): void {
    const { voice, pool } = this.#options;
    const { promptId: _running, ...line } = voice.originOf(pool.latest);
    const origin = {
      ...line,
      ...(typeof sessionId === 'string' && sessionId !== '' && { sessionId }),
      ...(typeof promptId === 'string' && { promptId }),
    };
    voice.say(heartbeatLine(origin));
  }

  #cancel(request: CancelRequest, service: ControlService): void {
    const { voice, pool } = this.#options;
    const { session_id: sessionId, prompt_id: promptId, reason, request_id: requestId } = request;
    const session = pool.running(sessionId);
    const inFlight = session?.promptInFlight;
    const told = reason && !KNOWN_REASONS.has(reason) ? { reason } : {};
    const isMeant = promptId === undefined || promptId === null || promptId === inFlight;
    const origin = { ...voice.originOf(session ?? pool.latest), ...(sessionId && { sessionId }) };
    const name = promptId ?? inFlight;
    const named = { ...origin, ...(name !== undefined && { promptId: name }) };
    let outcome: CancelOutcome;
    if (session === undefined)
      outcome = { status: 'noop', message: `The session ${sessionId} is not running here.`, ...told };
    else if (!isMeant) outcome = { status: 'noop', message: `The prompt ${promptId} is not running.`, ...told };
    else if (inFlight === undefined || session.isIdle)
      outcome = { status: 'noop', message: 'Nothing is running.', ...told };
    else outcome = { status: 'ok', ...told };
    voice.say(cancelLine(named, outcome));
    if (requestId) service.answer(requestId, { status: outcome.status });
    // Behind the answer, so that whatever the turn says of it comes after.
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

  #loadHints(): Promise<HintDesk<Session>> {
    this.#hints ??= import('@qwen/host/commands/hint-desk.js').then(({ HintDesk }) => {
      const { voice, commandsOf, configuration } = this.#options;
      return new HintDesk<Session>({
        commandsOf,
        configuration,
        onAnswer: (answer, askedAs) => voice.say(toHintLine(answer, askedAs)),
      });
    });
    return this.#hints;
  }
}
