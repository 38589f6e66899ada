import type { HintAnswer, HintTrigger } from '@qwen/commands';
import type { AgentHost } from '@qwen/host/agent-host.js';
import type { SessionCommands } from '@qwen/host/commands/session-commands.js';
import type { Configuration } from '@qwen/host/config/load-config.js';
import type { UiChoice } from '@qwen/host/config/ui-settings.js';
import type { McpPool } from '@qwen/host/mcp/mcp-pool.js';
import type { ContentBlock, Effort, PermissionMode } from '@qwen/protocol';
import type { StyledLine } from '../lines/styled-line.js';
import type { TerminalStore } from '../state/terminal-store.js';

/** What a person sends: words, and pictures that were pasted or dropped. */
export interface ComposedInput {
  /** Pasted text that was folded is whole again in it. */
  readonly text: string;
  readonly images: readonly Extract<ContentBlock, { type: 'image' }>[];
}

/** What the screen may ask of the program: the one door between what is drawn and what is done. */
export interface TerminalSession {
  readonly configuration: Configuration;
  readonly store: TerminalStore;
  readonly mcp: McpPool;
  /** The agent of the session that is shown now; another one after `open()`. */
  readonly host: AgentHost;
  /** Loaded with the first use. */
  commands(): Promise<SessionCommands>;
  /**
   * Takes in what was typed: a prompt, a slash command, or with `!` in front a command for the shell. While the agent
   * works it waits in `state.queued`. Never throws; what went wrong is printed.
   */
  submit(input: ComposedInput): void;
  /** Takes the prompts that wait out of the queue, so that they can be edited; undefined when there are none. */
  takeQueued(): string | undefined;
  /** Stops the running turn. False when nothing runs. */
  cancelTurn(): boolean;
  setModel(model: string | null): Promise<void>;
  setEffort(effort: Effort | null): Promise<void>;
  setPermissionMode(mode: PermissionMode): void;
  /** Shows with this theme from now on, without keeping it: `state.theme`. */
  setTheme(theme: UiChoice['theme']): void;
  /** Asks for completions; an answer to an earlier question does not come any more. */
  requestHints(query: { readonly trigger: HintTrigger; readonly text: string; readonly cursor: number }): void;
  /** Called with each answer; what it gives stops that. */
  onHints(listener: (answer: HintAnswer) => void): () => void;
  /**
   * Called with prompts that waited and are not going to be said by themselves; pictures belong to the labels in their
   * text, in order. What it gives stops that.
   */
  onReturned(listener: (inputs: readonly ComposedInput[]) => void): () => void;
  /**
   * Leaves this session and goes on with another one, whose conversation is printed. A turn that runs is stopped, which
   * the file of its session tells; prompts that wait were meant for it and go back to whoever typed them. Rejects with
   * the errors of the store, and then nothing has changed.
   */
  open(sessionId: string): Promise<void>;
  /** Reads the agent files again: what was written there counts from the next call on. */
  reloadAgents(): Promise<void>;
  /** Prints finished lines above the live part of the screen. */
  print(lines: readonly StyledLine[]): void;
  /** Ends the program politely. Idempotent. */
  quit(exitCode: number): void;
}
