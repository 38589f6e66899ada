import type { HintAnswer, HintTrigger, RewindPart } from '@qwen/commands';
import type { AgentHost } from '@qwen/host/agent-host.js';
import type { SessionCommands } from '@qwen/host/commands/session-commands.js';
import type { Configuration } from '@qwen/host/config/load-config.js';
import type { NamedTheme } from '@qwen/host/config/theme-files.js';
import type { McpPool } from '@qwen/host/mcp/mcp-pool.js';
import type { ContentBlock, Effort, PermissionMode } from '@qwen/protocol';
import type { StyledLine } from '../lines/styled-line.js';
import type { TerminalStore } from '../state/terminal-store.js';
import type { ShellMode } from './shell-mode.js';

export interface ComposedInput {
  /** With folded pastes expanded. */
  readonly text: string;
  readonly images: readonly Extract<ContentBlock, { type: 'image' }>[];
}

export function toContent({ text, images }: ComposedInput) {
  if (images.length === 0) return text;
  return [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...images];
}

/** The only interface between the UI and the program. */
export interface TerminalSession {
  readonly configuration: Configuration;
  readonly store: TerminalStore;
  readonly mcp: McpPool;
  readonly shell: ShellMode;
  /** The agent of the current session; `open()` replaces it. */
  readonly host: AgentHost;
  /** Loaded on first use. */
  commands(): Promise<SessionCommands>;
  /**
   * A prompt, slash command or `!` shell command. While the agent works, it waits in `state.queued`: a prompt until the
   * next model call, unless `later`, others until the turn ends. Never throws; prints failures.
   */
  submit(input: ComposedInput, when?: 'now' | 'later'): void;
  /** Passes the queued prompts to the listeners of `onReturned`. False when there is none. */
  returnQueued(): boolean;
  /** Returns the queued prompts too. False when no turn runs. */
  cancelTurn(): boolean;
  setModel(model: string | null): Promise<void>;
  setEffort(effort: Effort | null): Promise<void>;
  setPermissionMode(mode: PermissionMode): void;
  /** Previews a theme without storing it. */
  setTheme(theme: NamedTheme): void;
  /** Drops the answers of earlier requests. */
  requestHints(query: { readonly trigger: HintTrigger; readonly text: string; readonly cursor: number }): void;
  onHints(listener: (answer: HintAnswer) => void): () => void;
  /**
   * Called with queued prompts that will not be sent; images follow the order of their labels. Returns a function
   * that unsubscribes.
   */
  onReturned(listener: (inputs: readonly ComposedInput[]) => void): () => void;
  /**
   * Switches to another session, prints its conversation, stops the running turn and returns queued prompts to the
   * editor. Rejects with the errors of the store and then changes nothing.
   */
  open(sessionId: string): Promise<void>;
  /**
   * Goes back to before a prompt, prints what happened and passes the prompt to the listeners of `onReturned`. Rejects
   * with `session_busy` while a turn runs, and the errors of the store.
   */
  rewind(messageId: string, part: RewindPart): Promise<void>;
  /** Changes apply from the next call on. */
  reloadAgents(): Promise<void>;
  print(lines: readonly StyledLine[]): void;
  /** Shuts down gracefully. Idempotent. */
  quit(exitCode: number): void;
}
