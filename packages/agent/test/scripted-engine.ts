import { posix } from 'node:path';
import {
  type AgentEvent,
  AgentSession,
  type AgentSessionOptions,
  type AnyTool,
  MemoryLog,
  NO_RULES,
  type PermissionAnswer,
  type PermissionRequest,
  type ToolOutcome,
  type TurnOutcome,
} from '@qwen/agent';
import type { Model, ModelMessage, ModelPart, ModelRequest } from '@qwen/models';
import { AgentError, NO_USAGE } from '@qwen/protocol';
import { createFakeClock } from '@qwen/testkit';

/** One answer of the scripted model: its parts, or a stream of them that knows the signal. */
export type ScriptedAnswer =
  | readonly ModelPart[]
  | ((request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelPart>);

/** A model that plays answers in order, the last one again and again, and refuses what strict providers refuse. */
export class ScriptedEngineModel implements Model {
  readonly requests: ModelRequest[] = [];
  readonly #answers: readonly ScriptedAnswer[];

  constructor(answers: readonly ScriptedAnswer[]) {
    this.#answers = answers;
  }

  async *stream(request: ModelRequest, { signal }: { readonly signal: AbortSignal }): AsyncGenerator<ModelPart> {
    this.requests.push(structuredClone(request));
    const refusal = refuseUnpaired(request.messages);
    if (refusal !== undefined) {
      yield { type: 'failure', error: new AgentError('invalid_request', refusal) };
      return;
    }
    const answer = this.#answers[Math.min(this.requests.length, this.#answers.length) - 1] ?? [];
    if (typeof answer === 'function') yield* answer(request, signal);
    else yield* answer;
  }
}

/** Why a strict provider would refuse this conversation; undefined when it would not. */
export function refuseUnpaired(messages: readonly ModelMessage[]): string | undefined {
  for (const [index, message] of messages.entries()) {
    const next = messages[index + 1];
    if (message.role === 'tool' && messages[index - 1]?.role !== 'assistant') return `${index}: results without calls`;
    if (message.role !== 'assistant') continue;
    if (message.content.every((part) => part.type === 'thinking')) return `${index}: says nothing`;
    const called = message.content.filter((part) => part.type === 'tool_call');
    const answered = next?.role === 'tool' ? next.results.map((result) => result.callId) : [];
    if (called.map(({ id }) => id).join() !== answered.join()) return `${index}: calls and results differ`;
    if (called.some((part) => part.name === '' || typeof part.input !== 'object')) return `${index}: malformed call`;
  }
  return undefined;
}

export const START: ModelPart = { type: 'start' };
export const FINISH: ModelPart = { type: 'finish', reason: 'stop', usage: { input_tokens: 10, output_tokens: 2 } };
export const text = (value: string): ModelPart => ({ type: 'text_delta', text: value });

/** An answer that is text only. */
export const saying = (value: string): ModelPart[] => [START, text(value), FINISH];

/** A whole tool call, its arguments in two pieces. */
export function call(id: string, name: string, input: Readonly<Record<string, unknown>> = {}): ModelPart[] {
  const json = JSON.stringify(input);
  const half = Math.floor(json.length / 2);
  return [
    { type: 'tool_call_start', id, name },
    { type: 'tool_call_delta', id, json: json.slice(0, half) },
    { type: 'tool_call_delta', id, json: json.slice(half) },
    { type: 'tool_call_end', id, name, input },
  ];
}

/** An answer that calls tools. */
export const calling = (...parts: readonly ModelPart[][]): ModelPart[] => [
  START,
  ...parts.flat(),
  { type: 'finish', reason: 'tool_calls', usage: { input_tokens: 5, output_tokens: 1 } },
];

/** Yields the parts, then waits until it is aborted. */
export function hanging(...parts: readonly ModelPart[]): ScriptedAnswer {
  return async function* hang(_request, signal) {
    yield* parts;
    await aborted(signal);
    yield { type: 'failure', error: new AgentError('aborted', 'aborted'), usage: NO_USAGE };
  };
}

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Its `kind` is `read` by default; it accepts any input. */
export function tool(name: string, options: Partial<AnyTool> = {}): AnyTool {
  return {
    name,
    aliases: [],
    description: `The tool ${name}.`,
    inputSchema: { type: 'object' },
    kind: 'read',
    parse: (input) => input,
    paths: () => [],
    execute: () => Promise.resolve({ content: `${name} ran` }),
    ...options,
  };
}

/** A port that answers by a function and remembers the questions. */
export class ScriptedPermissions {
  readonly questions: PermissionRequest[] = [];
  readonly #answer: (request: PermissionRequest, signal: AbortSignal) => PermissionAnswer | Promise<PermissionAnswer>;

  constructor(
    answer: (request: PermissionRequest, signal: AbortSignal) => PermissionAnswer | Promise<PermissionAnswer>,
  ) {
    this.#answer = answer;
  }

  async ask(request: PermissionRequest, { signal }: { readonly signal: AbortSignal }): Promise<PermissionAnswer> {
    this.questions.push(request);
    return this.#answer(request, signal);
  }
}

export const DENY_ALL = new ScriptedPermissions(() => ({ behavior: 'deny', message: 'nobody is here' }));

export interface TestSession {
  readonly session: AgentSession;
  readonly model: ScriptedEngineModel;
  readonly log: MemoryLog;
}

/** A session over a scripted model; text paths, nothing on disk. */
export function createTestSession(
  answers: readonly ScriptedAnswer[],
  options: Partial<AgentSessionOptions> = {},
): TestSession {
  const model = new ScriptedEngineModel(answers);
  const log = new MemoryLog();
  const session = new AgentSession({
    sessionId: '00000000-0000-4000-8000-000000000000',
    cwd: '/w/app',
    model: 'scripted',
    createModel: () => Promise.resolve(model),
    tools: [],
    systemPrompt: 'system',
    permissions: DENY_ALL,
    permissionMode: 'default',
    rules: NO_RULES,
    paths: {
      resolve: (path, cwd) => {
        const absolute = posix.resolve(cwd, path);
        const insideRoots = absolute === '/w/app' || absolute.startsWith('/w/app/');
        return Promise.resolve({ path: absolute, realPath: absolute, insideRoots });
      },
    },
    log,
    clock: createFakeClock(),
    ...options,
  });
  return { session, model, log };
}

/** Submits prompts, ends the input and reads every event. */
export async function runAll(session: AgentSession, ...prompts: readonly string[]): Promise<AgentEvent[]> {
  for (const [index, content] of prompts.entries()) session.submit({ uuid: `prompt-${index + 1}`, content });
  session.endInput();
  const events: AgentEvent[] = [];
  for await (const event of session.events()) events.push(event);
  return events;
}

/** Reads up to the first event of this type. Returns everything read. */
export async function readUntil(events: AsyncIterator<AgentEvent>, type: AgentEvent['type']): Promise<AgentEvent[]> {
  const read: AgentEvent[] = [];
  for (;;) {
    const step = await events.next();
    if (step.done === true) throw new Error(`the events ended before ${type}`);
    read.push(step.value);
    if (step.value.type === type) return read;
  }
}

type EventOf<Type extends AgentEvent['type']> = Extract<AgentEvent, { readonly type: Type }>;

/** The events of one type. */
export function ofType<Type extends AgentEvent['type']>(events: readonly AgentEvent[], type: Type): EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type);
}

/** How each turn ended. */
export const outcomes = (events: readonly AgentEvent[]): TurnOutcome[] =>
  ofType(events, 'turn_end').map(({ outcome }) => outcome);

/** Results of tools as `name: content`, in the order of their events. */
export const results = (events: readonly AgentEvent[]): string[] =>
  ofType(events, 'tool_end').map(({ outcome }) => `${outcome.name}: ${asText(outcome.content)}`);

const asText = (content: ToolOutcome['content']): string =>
  typeof content === 'string' ? content : JSON.stringify(content);
