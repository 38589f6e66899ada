import type { AgentEvent } from '@qwen/agent';
import { type HintAnswer, type HintTrigger, type RewindPart, rewoundText } from '@qwen/commands';
import type { AgentHost } from '@qwen/host/agent-host.js';
import type { HintService } from '@qwen/host/commands/hint-service.js';
import type { SessionCommands } from '@qwen/host/commands/session-commands.js';
import type { Configuration } from '@qwen/host/config/load-config.js';
import { saveUserSetting } from '@qwen/host/config/save-user-setting.js';
import type { SessionChoice } from '@qwen/host/config/session-choice.js';
import type { NamedTheme } from '@qwen/host/config/theme-files.js';
import type { McpPool } from '@qwen/host/mcp/mcp-pool.js';
import type { Notice } from '@qwen/host/notice.js';
import { type AgentConfig, AgentError, type Effort, type PermissionMode } from '@qwen/protocol';
import type { StyledLine } from '../lines/styled-line.js';
import { loadHighlighter } from '../markdown/code-painter.js';
import { type OpenDialog, ownDialog } from '../state/terminal-state.js';
import type { TerminalStore } from '../state/terminal-store.js';
import type { Theme } from '../theme/theme.js';
import { failureOf, noteOf, quietLine } from '../transcript/note-lines.js';
import { promptLines } from '../transcript/prompt-lines.js';
import type { Transcript } from '../transcript/transcript.js';
import { Conversation } from './conversation.js';
import { confirmCopy, isInUse } from './copy-offer.js';
import type { EventFeed } from './event-feed.js';
import { PromptQueue } from './prompt-queue.js';
import type { QuestionQueue } from './question-queue.js';
import { isForModel, ShellMode, typedCommand } from './shell-mode.js';
import { type ComposedInput, type TerminalSession, toContent } from './terminal-session.js';

export interface ScreenSessionOptions {
  readonly configuration: Configuration;
  readonly choice: SessionChoice;
  readonly store: TerminalStore;
  readonly questions: QuestionQueue;
  readonly mcp: McpPool;
  readonly transcript: Transcript;
  readonly feed: EventFeed;
  readonly columns: () => number;
  readonly toTheme: (theme: NamedTheme) => Theme;
  readonly readAgents: () => Promise<readonly AgentConfig[]>;
  readonly quit: (exitCode: number) => void;
  readonly firstPrompt?: string;
}

/** Ignores events of a conversation that was left. */
export class ScreenSession implements TerminalSession {
  readonly configuration: Configuration;
  readonly store: TerminalStore;
  readonly mcp: McpPool;
  readonly shell: ShellMode;
  readonly #options: ScreenSessionOptions;
  readonly #queue: PromptQueue;
  readonly #hintListeners = new Set<(answer: HintAnswer) => void>();
  readonly #returnListeners = new Set<(inputs: readonly ComposedInput[]) => void>();
  #conversation: Conversation;
  #agents: readonly AgentConfig[];
  /** Turn of the last prompt, until it ends. */
  #currentTurn: string | undefined;
  #isForModel = false;
  #hints: Promise<HintService> | undefined;
  #hasLeft = false;

  constructor(options: ScreenSessionOptions) {
    const { configuration, store, mcp, choice, questions } = options;
    this.#options = options;
    this.configuration = configuration;
    this.store = store;
    this.mcp = mcp;
    this.shell = new ShellMode(configuration, questions);
    this.#queue = new PromptQueue(store);
    this.#agents = configuration.agentFiles.agents;
    this.#conversation = this.#begin(choice);
  }

  get host(): AgentHost {
    return this.#conversation.host;
  }

  /** Shows the existing conversation and sends the first prompt. Call once, when the screen exists. */
  begin(): void {
    const { choice, firstPrompt } = this.#options;
    const source = choice.kind === 'fork' ? choice.source : choice.kind === 'resume' ? choice.sessionId : undefined;
    const shown = source === undefined ? Promise.resolve([]) : this.#load(source);
    shown
      .then((lines) => this.print(lines))
      .catch((thrown: unknown) => this.#fail(thrown))
      .finally(() => {
        if (firstPrompt !== undefined) this.submit({ text: firstPrompt, images: [] });
      });
    if (choice.kind === 'unavailable') this.#fail(choice.error);
    if (!this.configuration.provider.ok) this.#fail(this.configuration.provider.error);
    // Connect while the user types.
    this.mcp.start();
  }

  commands(): Promise<SessionCommands> {
    return this.#conversation.commands();
  }

  submit(input: ComposedInput, when: 'now' | 'later' = 'now'): void {
    if (input.text.trim() === '' && input.images.length === 0) return;
    const dialog = ownDialog(input.text);
    // A dialog needs no agent and opens at once.
    if (dialog !== undefined) this.#openDialog(dialog);
    else if (/^\s*\/vim\s*$/i.test(input.text)) this.#toggleVim();
    else if (this.#currentTurn === undefined) this.#hand(input);
    else if (when === 'now' && this.#runsModel && isForModel(input.text)) this.#steer(input);
    else this.#queue.add(input);
  }

  returnQueued(): boolean {
    const waiting = this.#queue.takeAll((id) => this.#conversation.withdraw(id));
    if (waiting.length > 0) for (const listener of this.#returnListeners) listener(waiting);
    return waiting.length > 0;
  }

  cancelTurn(): boolean {
    // This must precede the end of the turn, which starts the next prompt.
    this.returnQueued();
    const wasTurn = this.#conversation.cancelTurn();
    if (wasTurn) {
      this.store.update((state) =>
        state.turn === undefined ? state : { ...state, turn: { ...state.turn, isCancelling: true } },
      );
    }
    return wasTurn;
  }

  async setModel(model: string | null): Promise<void> {
    await this.host.setModel(model);
  }

  async setEffort(effort: Effort | null): Promise<void> {
    this.host.setEffort(effort ?? undefined);
  }

  setPermissionMode(mode: PermissionMode): void {
    this.host.setPermissionMode(mode);
  }

  setTheme(named: NamedTheme): void {
    const theme = this.#options.toTheme(named);
    this.store.update((state) => ({ ...state, theme, themeName: named.name }));
  }

  requestHints(query: { readonly trigger: HintTrigger; readonly text: string; readonly cursor: number }): void {
    const conversation = this.#conversation;
    this.#loadHints()
      .then((hints) => hints.request({ type: 'command_hint_request', ...query }, conversation))
      .catch((thrown: unknown) => this.#fail(thrown));
  }

  onHints(listener: (answer: HintAnswer) => void): () => void {
    this.#hintListeners.add(listener);
    return () => this.#hintListeners.delete(listener);
  }

  onReturned(listener: (inputs: readonly ComposedInput[]) => void): () => void {
    this.#returnListeners.add(listener);
    return () => this.#returnListeners.delete(listener);
  }

  async open(sessionId: string): Promise<void> {
    const lines = await this.#load(sessionId);
    const before = this.#conversation;
    this.returnQueued();
    const { model, permissionMode } = before.host;
    this.#conversation = this.#begin({ kind: 'resume', sessionId }, { model, permissionMode });
    // This must precede any await: text typed now is for the new session.
    this.print([...this.#leaveTurn(), ...lines]);
    await before.leave();
  }

  async rewind(messageId: string, part: RewindPart): Promise<void> {
    const { files, prompt } = await (await this.commands()).host.rewind.rewind(messageId, part);
    if (prompt !== undefined) for (const returned of this.#returnListeners) returned([{ text: prompt, images: [] }]);
    this.print([...rewoundText(part, files).split('\n').map(quietLine), []]);
    void this.#countContext();
  }

  async reloadAgents(): Promise<void> {
    this.#agents = await this.#options.readAgents();
  }

  print(lines: readonly StyledLine[]): void {
    this.#options.feed.print(lines);
  }

  quit(exitCode: number): void {
    this.#options.quit(exitCode);
  }

  announce(notice: Notice): void {
    void this.#options.feed.take({ type: 'notice', ...notice, parentToolUseId: null });
  }

  async close(): Promise<void> {
    this.#hasLeft = true;
    await Promise.all([
      this.host.close('prompt_input_exit'),
      this.mcp.close(),
      this.#hints?.then((hints) => hints.close()).catch(() => undefined),
    ]);
  }

  #begin(choice: SessionChoice, start?: { readonly model: string; readonly permissionMode: PermissionMode }) {
    const { configuration, questions, mcp, quit } = this.#options;
    const conversation: Conversation = new Conversation({
      configuration,
      choice,
      ...(start !== undefined && { start }),
      mcp,
      questions,
      agents: () => this.#agents,
      publish: async (event) => {
        if (conversation === this.#conversation) await this.#publish(event);
      },
      openDialog: (name, content) => this.#openDialog(name, content),
      quit: () => quit(0),
    });
    return conversation;
  }

  /** Nothing else of the interrupted turn is printed. */
  #leaveTurn(): readonly StyledLine[] {
    const { feed, transcript, questions, columns } = this.#options;
    feed.flush();
    questions.endElicitations();
    const wasBusy = this.#currentTurn !== undefined;
    this.#currentTurn = undefined;
    this.store.update(({ turn: _left, context: _of, ...state }) => ({ ...state, calls: [], draft: '', todos: [] }));
    return [...transcript.abort(), ...(wasBusy ? [...noteOf('This turn was interrupted.', columns()), []] : [])];
  }

  async #load(sessionId: string): Promise<readonly StyledLine[]> {
    const [{ loadConversation }] = await Promise.all([import('../transcript/load-conversation.js'), loadHighlighter()]);
    return loadConversation(this.configuration, sessionId, this.#options);
  }

  async #publish(event: AgentEvent): Promise<void> {
    if (event.type === 'turn_start') await loadHighlighter();
    if (event.type === 'turn_start' && this.#queue.steering === event.turnId) this.#currentTurn = event.turnId;
    if (event.type === 'turn_start') this.#showSteered(event.turnId);
    if (event.type === 'prompt_taken') this.#showSteered(event.uuid);
    await this.#options.feed.take(event);
    if (event.type !== 'turn_end') return;
    this.#options.feed.flush();
    this.#options.questions.endElicitations();
    void this.#countContext();
    if (isInUse(event)) this.#offerCopy().catch((thrown: unknown) => this.#fail(thrown));
    if (event.turnId === this.#currentTurn) this.#handNext();
  }

  async #offerCopy(): Promise<void> {
    const before = this.#conversation;
    // They would fail too.
    this.returnQueued();
    if (!(await confirmCopy(this.#options.questions)) || this.#conversation !== before) return;
    this.#conversation = this.#begin({ kind: 'fork', sessionId: crypto.randomUUID(), source: before.sessionId });
    this.print([quietLine('Continuing in a copy of the session. Up returns your prompt.'), []]);
    await before.leave();
  }

  #hand(input: ComposedInput): void {
    const uuid = crypto.randomUUID();
    this.#currentTurn = uuid;
    this.#isForModel = isForModel(input.text);
    this.print(promptLines(input, this.#options.columns()));
    const command = typedCommand(input.text);
    const next = (): void => {
      if (this.#currentTurn === uuid) this.#handNext();
    };
    const onRefused = (error: AgentError): void => {
      this.#fail(error);
      next();
    };
    if (command === undefined) return this.#conversation.take({ uuid, content: toContent(input) }, onRefused);
    const onEnd = (report: string | undefined): void => {
      if (report !== undefined) this.announce({ code: 'command_ended', message: report });
      next();
    };
    this.shell.run(command, { uuid, host: this.host, onRefused, onEnd });
  }

  /** The model runs or will, so that it can take a message. */
  get #runsModel(): boolean {
    return this.#isForModel || this.store.getState().turn !== undefined;
  }

  #steer(input: ComposedInput): void {
    const uuid = this.#queue.addSteering(input);
    this.#conversation.steer({ uuid, content: toContent(input) }, (error) => {
      this.#fail(error);
      if (this.#queue.take(uuid) !== undefined && this.#currentTurn === uuid) this.#handNext();
    });
  }

  /** Prints a prompt where the agent takes it: within the turn, or as its own. */
  #showSteered(id: string): void {
    const input = this.#queue.take(id);
    if (input !== undefined) this.print(promptLines(input, this.#options.columns()));
  }

  #toggleVim(): void {
    const isVim = this.store.getState().isVim !== true;
    this.store.update((state) => ({ ...state, isVim }));
    this.print([quietLine(isVim ? 'Vi key bindings are on.' : 'Vi key bindings are off.'), []]);
    saveUserSetting(['ui', 'vimMode'], isVim, this.configuration).catch((thrown: unknown) => this.#fail(thrown));
  }

  #openDialog(name: OpenDialog['name'], content?: string): void {
    const dialog = { name, ...(content !== undefined && { content }) };
    this.store.update((state) => ({ ...state, dialog }));
  }

  #handNext(): void {
    // The turn ended before the agent took this prompt, which is next.
    this.#currentTurn = this.#queue.steering;
    if (this.#currentTurn !== undefined) return;
    const next = this.#hasLeft ? undefined : this.#queue.next();
    if (next !== undefined) this.#hand(next);
  }

  async #countContext(): Promise<void> {
    try {
      const { totalTokens, windowTokens } = await this.host.contextUsage();
      const context = { usedTokens: totalTokens, ...(windowTokens !== undefined && { windowTokens }) };
      this.store.update((state) => ({ ...state, context }));
    } catch {
      // The turn has reported that the session failed to open.
    }
  }

  #loadHints() {
    this.#hints ??= import('@qwen/host/commands/hint-service.js').then(
      ({ HintService }) =>
        new HintService({
          configuration: this.configuration,
          onAnswer: (answer) => {
            for (const listener of this.#hintListeners) listener(answer);
          },
        }),
    );
    return this.#hints;
  }

  #fail(thrown: unknown): void {
    this.print([...failureOf(AgentError.from(thrown).message, this.#options.columns()), []]);
  }
}
