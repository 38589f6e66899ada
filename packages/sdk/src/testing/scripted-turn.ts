import {
  type ControlPayload,
  type ControlPeer,
  type ControlResult,
  type HookEvent,
  type HookInputOf,
  type HookOutput,
  type PermissionDenial,
  type SDKResultMessage,
  type SDKUserMessage,
  toHookRegistrations,
} from '@qwen/protocol';
import type { ToolInput } from '../permissions.js';
import type { InAppTools, ToolOutcome } from './in-app-tools.js';
import type { ScriptedLines } from './scripted-lines.js';

/** What the app answered to a permission question. */
export type Verdict = ControlResult<'can_use_tool'>;

/** What a permission question may say beside the tool and its input. */
export type QuestionDetails = Partial<Omit<ControlPayload<'can_use_tool'>, 'tool_name' | 'input'>>;

/** What the turn needs of the CLI around it. */
export interface TurnParts {
  readonly message: SDKUserMessage;
  readonly number: number;
  /** What the app said in `initialize`. */
  readonly hooks: ControlPayload<'initialize'>['hooks'];
  readonly peer: ControlPeer<'agent'>;
  readonly lines: ScriptedLines;
  readonly tools: InAppTools;
  readonly say: (line: object) => void;
  readonly onVerdict: (verdict: Verdict) => void;
  readonly abort: AbortController;
}

/** What a test can let the agent do between a prompt and its result. The members are bound: take them apart freely. */
export class ScriptedTurn {
  /** The user message that began the turn. */
  readonly message: SDKUserMessage;
  /** From 1. */
  readonly number: number;
  /** Aborts when the app interrupts the turn or closes the query. */
  readonly signal: AbortSignal;
  readonly #parts: TurnParts;
  readonly #denials: PermissionDenial[] = [];
  #lastText: string | undefined;
  #result: Partial<SDKResultMessage> = {};

  constructor(parts: TurnParts) {
    this.#parts = parts;
    this.message = parts.message;
    this.number = parts.number;
    this.signal = parts.abort.signal;
  }

  /** The text of the user message; its text blocks are joined by line ends. */
  get prompt(): string {
    const { content } = this.message.message;
    if (typeof content === 'string') return content;
    return content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n');
  }

  /** The model answers with this text. It becomes the text of the result. */
  readonly says = (text: string): void => {
    this.#lastText = text;
    this.#parts.say(this.#parts.lines.answer([{ type: 'text', text }]));
  };

  /** The same piece by piece, as with `includePartialMessages`; the whole answer comes behind its pieces. */
  readonly streams = (texts: readonly string[]): void => {
    const { lines, say } = this.#parts;
    const messageId = lines.newId('message');
    this.#lastText = texts.join('');
    for (const line of lines.pieces(texts, messageId)) say(line);
    say(lines.answer([{ type: 'text', text: this.#lastText }], messageId));
  };

  /**
   * Asks the app's `canUseTool`, as the agent does where nothing else decides. A denial is part of the result. Rejects
   * as the CLI sees it: `timeout` after `timeout.canUseTool`, `cancelled` after an interrupt.
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

  /** Calls a tool of an MCP server in the app, `mcp__server__tool`; call and result go out as messages too. */
  readonly callsTool = async (toolName: string, input: ToolInput): Promise<ToolOutcome> => {
    const { lines, say, tools } = this.#parts;
    const id = lines.newId('tool');
    say(lines.answer([{ type: 'tool_use', id, name: toolName, input }]));
    const outcome = await tools.call(toolName, input);
    say(lines.toolResult(id, outcome));
    return outcome;
  };

  /**
   * Runs the app's hooks of this event, all at once, and gives what they answered in the order of registration. For an
   * event about a tool those whose matcher fits. Rejects when a hook fails, as the CLI sees it.
   */
  readonly firesHook = async <Event extends HookEvent>(
    event: Event,
    input: Omit<HookInputOf<Event>, 'hook_event_name' | keyof typeof HOOK_SURROUNDINGS>,
  ): Promise<HookOutput[]> => {
    const { hooks, peer } = this.#parts;
    const whole = { ...HOOK_SURROUNDINGS, ...input, hook_event_name: event };
    const toolName = 'tool_name' in whole ? String(whole.tool_name) : undefined;
    const toolUseId = 'tool_use_id' in whole ? String(whole.tool_use_id) : null;
    const fitting = toHookRegistrations(hooks ?? {}).filter(
      (registration) => registration.event === event && fits(registration.matcher, toolName),
    );
    const calls = fitting.flatMap(({ callbackIds, timeoutSeconds }) =>
      callbackIds.map((callbackId) =>
        peer.request(
          'hook_callback',
          { callback_id: callbackId, input: whole, tool_use_id: toolUseId },
          { signal: this.signal, timeoutMs: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000 },
        ),
      ),
    );
    return Promise.all(calls);
  };

  /** Sends a line as it is, for instance one that no CLI should send. */
  readonly sends = (line: object): void => this.#parts.say(line);

  /** What the result shall say beside what it says by itself. */
  readonly result = (members: Partial<SDKResultMessage>): void => {
    this.#result = { ...this.#result, ...members };
  };

  /** The members of the result so far. */
  get outcome(): Partial<SDKResultMessage> {
    const text = this.#lastText === undefined ? {} : { result: this.#lastText };
    return { ...text, permission_denials: this.#denials, ...this.#result };
  }
}

/** What every hook is told, where a script does not say otherwise. */
const HOOK_SURROUNDINGS = { session_id: '', transcript_path: '', cwd: '/', permission_mode: 'default' };

function fits(matcher: string | undefined, toolName: string | undefined): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*' || toolName === undefined) return true;
  return new RegExp(`^(?:${matcher})$`).test(toolName);
}
