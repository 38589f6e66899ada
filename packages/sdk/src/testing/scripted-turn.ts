import {
  type ControlPayload,
  type ControlPeer,
  type ControlResult,
  type HookEvent,
  type HookInputOf,
  type HookOutput,
  type PermissionDenial,
  type SDKUserMessage,
  toHookRegistrations,
} from '@qwen/protocol';
import type { ToolInput } from '../callbacks/can-use-tool.js';
import type { InAppTools, ToolOutcome } from './in-app-tools.js';
import type { ScriptedLines, ScriptedResult } from './scripted-lines.js';

/** The app's answer to a permission request. */
export type Verdict = ControlResult<'can_use_tool'>;

/** Optional members of a permission request. */
export type QuestionDetails = Partial<Omit<ControlPayload<'can_use_tool'>, 'tool_name' | 'input'>>;

export interface TurnParts {
  readonly message: SDKUserMessage;
  readonly number: number;
  /** From `initialize`. */
  readonly hooks: ControlPayload<'initialize'>['hooks'];
  readonly peer: ControlPeer<'agent'>;
  readonly lines: ScriptedLines;
  readonly tools: InAppTools;
  readonly emit: (line: object) => void;
  readonly onVerdict: (verdict: Verdict) => void;
  readonly abort: AbortController;
}

/** Actions of the agent during one turn. The methods are bound: destructure them freely. */
export class ScriptedTurn {
  /** The user message of the turn. */
  readonly message: SDKUserMessage;
  /** Counts from 1. */
  readonly number: number;
  /** Aborts when the app interrupts the turn or closes the query. */
  readonly signal: AbortSignal;
  readonly #parts: TurnParts;
  readonly #denials: PermissionDenial[] = [];
  #lastText: string | undefined;
  #result: Partial<ScriptedResult> = {};

  constructor(parts: TurnParts) {
    this.#parts = parts;
    this.message = parts.message;
    this.number = parts.number;
    this.signal = parts.abort.signal;
  }

  /** Text of the user message; text blocks are joined with line ends. */
  get prompt(): string {
    const { content } = this.message.message;
    if (typeof content === 'string') return content;
    return content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n');
  }

  /** Answers with this text, which also becomes the result. */
  readonly says = (text: string): void => {
    this.#lastText = text;
    this.#parts.emit(this.#parts.lines.answer([{ type: 'text', text }]));
  };

  /** As {@link says}, preceded by partial messages as with `includePartialMessages`. */
  readonly streams = (texts: readonly string[]): void => {
    const { lines, emit } = this.#parts;
    const messageId = lines.newId('message');
    this.#lastText = texts.join('');
    for (const line of lines.pieces(texts, messageId)) emit(line);
    emit(lines.answer([{ type: 'text', text: this.#lastText }], messageId));
  };

  /**
   * Calls the app's `canUseTool`. A denial is added to the result. Rejects with `timeout` after `timeout.canUseTool`,
   * and with `cancelled` after an interrupt.
   */
  readonly asksPermission = async (
    toolName: string,
    input: ToolInput,
    details: QuestionDetails = {},
  ): Promise<Verdict> => {
    const { peer, lines, onVerdict, abort } = this.#parts;
    const toolUseId = details.tool_use_id ?? lines.newId('tool');
    const question = { permission_suggestions: [], ...details, tool_name: toolName, tool_use_id: toolUseId, input };
    const verdict = await peer.request('can_use_tool', question, { signal: this.signal });
    onVerdict(verdict);
    if (verdict.behavior === 'deny') {
      this.#denials.push({ tool_name: toolName, tool_use_id: toolUseId, tool_input: input });
      if (verdict.interrupt === true) abort.abort();
    }
    return verdict;
  };

  /** Calls an in-process tool, `mcp__server__tool`, and emits the call and its result as messages. */
  readonly callsTool = async (toolName: string, input: ToolInput): Promise<ToolOutcome> => {
    const { lines, emit, tools } = this.#parts;
    const id = lines.newId('tool');
    emit(lines.answer([{ type: 'tool_use', id, name: toolName, input }]));
    const outcome = await tools.call(toolName, input);
    emit(lines.toolResult(id, outcome));
    return outcome;
  };

  /**
   * Runs the app's matching hooks of this event in parallel. Resolves with their answers in the order of
   * registration; rejects if one fails.
   */
  readonly firesHook = async <Event extends HookEvent>(
    event: Event,
    input: Omit<HookInputOf<Event>, 'hook_event_name' | keyof typeof HOOK_DEFAULTS>,
  ): Promise<HookOutput[]> => {
    const { hooks, peer } = this.#parts;
    const payload = { ...HOOK_DEFAULTS, ...input, hook_event_name: event };
    const toolName = 'tool_name' in payload ? String(payload.tool_name) : undefined;
    const toolUseId = 'tool_use_id' in payload ? String(payload.tool_use_id) : null;
    const matching = toHookRegistrations(hooks ?? {}).filter(
      (registration) => registration.event === event && matches(registration.matcher, toolName),
    );
    const calls = matching.flatMap(({ callbackIds, timeoutSeconds }) =>
      callbackIds.map((callbackId) =>
        peer.request(
          'hook_callback',
          { callback_id: callbackId, input: payload, tool_use_id: toolUseId },
          { signal: this.signal, timeoutMs: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000 },
        ),
      ),
    );
    return Promise.all(calls);
  };

  /** Sends any line, also an invalid one. */
  readonly sends = (line: object): void => this.#parts.emit(line);

  /** Sets members of the result. */
  readonly result = (members: Partial<ScriptedResult>): void => {
    this.#result = { ...this.#result, ...members };
  };

  /** The result so far. */
  get outcome(): Partial<ScriptedResult> {
    const text = this.#lastText === undefined ? {} : { result: this.#lastText };
    return { ...text, permission_denials: this.#denials, ...this.#result };
  }
}

const HOOK_DEFAULTS = { session_id: '', transcript_path: '', cwd: '/', permission_mode: 'default' };

function matches(matcher: string | undefined, toolName: string | undefined): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*' || toolName === undefined) return true;
  return new RegExp(`^(?:${matcher})$`).test(toolName);
}
