import type { BackgroundPort, TaskEvent, TaskView } from '@qwen/agent';
import { AgentError, type TaskStatus } from '@qwen/protocol';
import { TaskLog } from './task-log.js';

/** Commands in the background of one session, at the same time. */
const MAX_RUNNING = 16;
/** Ended ones whose output can still be read. */
const MAX_ENDED = 32;
const PROGRESS_INTERVAL_MS = 3_000;

export interface TaskEnd {
  readonly status: Exclude<TaskStatus, 'running'>;
  /** Such as `exit code 1`. */
  readonly notes: readonly string[];
}

export interface TaskRequest<Result> {
  readonly callId: string;
  readonly command: string;
  readonly description?: string | undefined;
  readonly isBackground: boolean;
  /** When a command in the foreground moves to the background. Default: never. */
  readonly movesAfterMs?: number | undefined;
  /** The signal of the turn; it stops only a command in the foreground. */
  readonly signal: AbortSignal;
  /** Runs the command until its whole group is gone. */
  readonly run: (task: CommandTask) => Promise<Result>;
  readonly describe: (result: Result, task: CommandTask) => TaskEnd;
}

/** A command that may continue after its call. */
export class CommandTask {
  readonly id: string;
  readonly callId: string;
  readonly command: string;
  readonly description: string | undefined;
  readonly log = new TaskLog();
  /** Where the next read of the model starts. */
  cursor = 0;
  /** Waits of the model that ended without news. */
  waits = 0;
  /** Whether the model knows that the command ended. */
  isEndKnown = false;
  outputFile: string | undefined;
  readonly #startedAtMs = performance.now();
  readonly #emit: (event: TaskEvent) => void;
  readonly #stop = new AbortController();
  readonly #moved = new AbortController();
  readonly #detach: () => void;
  #change = Promise.withResolvers<void>();
  #reportedAtMs = this.#startedAtMs;
  #endedAtMs: number | undefined;
  #end: TaskEnd | undefined;

  constructor(id: string, request: Omit<TaskRequest<unknown>, 'run' | 'describe'>, emit: (event: TaskEvent) => void) {
    this.id = id;
    this.callId = request.callId;
    this.command = request.command;
    this.description = request.description;
    this.#emit = emit;
    const { signal } = request;
    const onAbort = () => this.stop();
    this.#detach = () => signal.removeEventListener('abort', onAbort);
    if (request.isBackground) {
      this.#moved.abort();
      this.#reportStart();
    } else {
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
    }
  }

  /** Aborts when the command has to stop. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Aborts when the command moves to the background. */
  get moved(): AbortSignal {
    return this.#moved.signal;
  }

  get isBackground(): boolean {
    return this.#moved.signal.aborted;
  }

  get status(): TaskStatus {
    return this.#end?.status ?? 'running';
  }

  /** Empty while it runs. */
  get notes(): readonly string[] {
    return this.#end?.notes ?? [];
  }

  /** Resolves at the next output, and at the end. */
  get changed(): Promise<void> {
    return this.#change.promise;
  }

  get view(): TaskView {
    const { id, callId, command, description, status, notes, outputFile } = this;
    return {
      taskId: id,
      callId,
      command,
      ...(description !== undefined && { description }),
      status,
      ...(notes.length > 0 && { note: notes.join('; ') }),
      durationMs: (this.#endedAtMs ?? performance.now()) - this.#startedAtMs,
      outputBytes: this.log.end,
      ...(outputFile !== undefined && { outputFile }),
    };
  }

  push(chunk: Uint8Array): void {
    this.log.push(chunk);
    this.#wake();
    const nowMs = performance.now();
    if (!this.isBackground || nowMs - this.#reportedAtMs < PROGRESS_INTERVAL_MS) return;
    this.#reportedAtMs = nowMs;
    this.#emit({ type: 'task_progress', task: this.view, lastLine: this.log.lastLine() });
  }

  stop(): void {
    this.#stop.abort();
  }

  /** False if it ended or is in the background already. */
  moveToBackground(): boolean {
    if (this.isBackground || this.#end !== undefined || this.signal.aborted) return false;
    this.#detach();
    this.#moved.abort();
    this.#reportStart();
    return true;
  }

  finish(end: TaskEnd): void {
    this.#detach();
    this.#end = end;
    this.#endedAtMs = performance.now();
    this.#wake();
    if (this.isBackground) this.#emit({ type: 'task_ended', task: this.view });
  }

  #reportStart(): void {
    this.#emit({ type: 'task_started', task: this.view });
  }

  #wake(): void {
    const { resolve } = this.#change;
    this.#change = Promise.withResolvers();
    resolve();
  }
}

/** The commands of a session that run, and those that ran in the background. The session closes it. */
export class BackgroundTasks implements BackgroundPort {
  readonly #tasks = new Map<string, CommandTask>();
  readonly #runs = new Set<Promise<unknown>>();
  #emit: (event: TaskEvent) => void = () => undefined;
  #isClosed = false;

  subscribe(listener: (event: TaskEvent) => void): void {
    this.#emit = listener;
  }

  /**
   * Runs a command. `result` is undefined if it is in the background. Rejects with the error of `run`, and with
   * `tool_failed` if too many commands run.
   */
  async start<Result>({ run, describe, ...request }: TaskRequest<Result>): Promise<StartedTask<Result>> {
    if (request.isBackground) this.#assertRoom();
    const task = new CommandTask(this.#nextId(), request, (event) => this.#emit(event));
    this.#tasks.set(task.id, task);
    const running = run(task).then(
      (result) => {
        task.finish(describe(result, task));
        return result;
      },
      (thrown: unknown) => {
        task.finish({ status: 'failed', notes: [AgentError.from(thrown, 'tool_failed').message] });
        throw thrown;
      },
    );
    const settled = running
      .catch(() => undefined)
      .finally(() => {
        this.#runs.delete(settled);
        this.#forgetOld(task);
      });
    this.#runs.add(settled);
    if (task.isBackground) return { task, result: undefined };
    const { promise: whenMoved, resolve } = Promise.withResolvers<undefined>();
    task.moved.addEventListener('abort', () => resolve(undefined), { once: true });
    const { movesAfterMs } = request;
    const timer = movesAfterMs === undefined ? undefined : setTimeout(() => task.moveToBackground(), movesAfterMs);
    try {
      return { task, result: await Promise.race([running, whenMoved]) };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Only those in the background, the oldest first. */
  get all(): readonly CommandTask[] {
    return [...this.#tasks.values()].filter((task) => task.isBackground);
  }

  list(): readonly TaskView[] {
    return this.all.map((task) => task.view);
  }

  /** Throws `task_not_found` if there is none with this id. */
  find(taskId: string): CommandTask {
    const found = this.all.find(({ id }) => id === taskId);
    if (found !== undefined) return found;
    const ids = this.all.map(({ id }) => id).join(', ');
    const known = ids === '' ? 'There are none' : `There are ${ids}`;
    const message = `There is no background command "${taskId}"; they end with the session. ${known}.`;
    throw new AgentError('task_not_found', message);
  }

  output(taskId: string): string {
    const task = this.find(taskId);
    return task.log.read(0, { isOver: task.status !== 'running' }).text;
  }

  async stop(taskId: string): Promise<TaskView> {
    const task = this.find(taskId);
    task.stop();
    while (task.status === 'running') await task.changed;
    return task.view;
  }

  moveToBackground(callId?: string): number {
    const tasks = [...this.#tasks.values()].filter((task) => callId === undefined || task.callId === callId);
    return tasks.filter((task) => task.moveToBackground()).length;
  }

  takeNotes(): readonly string[] {
    const ended = this.all.filter((task) => task.status !== 'running' && !task.isEndKnown);
    for (const task of ended) task.isEndKnown = true;
    return ended.map(({ id, command, status, notes }) => {
      const details = notes.length === 0 ? '' : ` (${notes.join('; ')})`;
      const name = command.length > 200 ? `${command.slice(0, 200)}…` : command;
      return `The background command ${id} ${status}${details}. Read its output with task_output. Command: ${name}`;
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const task of this.#tasks.values()) task.stop();
    await Promise.all(this.#runs);
  }

  #assertRoom(): void {
    if (this.#isClosed) throw new AgentError('tool_failed', 'The session is closed.');
    const running = this.all.filter(({ status }) => status === 'running');
    if (running.length < MAX_RUNNING) return;
    const ids = running.map(({ id }) => id).join(', ');
    const message = `${MAX_RUNNING} commands run in the background already. Stop one with task_stop first: ${ids}.`;
    throw new AgentError('tool_failed', message);
  }

  #nextId(): string {
    // Not counted: after a resume, an old id must not name a new command.
    const id = `task_${crypto.randomUUID().slice(0, 4)}`;
    return this.#tasks.has(id) ? this.#nextId() : id;
  }

  #forgetOld(task: CommandTask): void {
    if (!task.isBackground) this.#tasks.delete(task.id);
    const ended = this.all.filter(({ status }) => status !== 'running');
    for (const old of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) this.#tasks.delete(old.id);
  }
}

export interface StartedTask<Result> {
  readonly task: CommandTask;
  readonly result: Result | undefined;
}
