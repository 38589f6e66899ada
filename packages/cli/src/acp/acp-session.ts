import type {
  AgentContext,
  ClientCapabilities,
  PromptRequest,
  PromptResponse,
  SessionUpdate,
} from '@agentclientprotocol/sdk';
import type { AgentEvent, StopReason as ModelStop, TurnOutcome } from '@qwen/agent';
import { mayBeCommand, mayReferToFiles } from '@qwen/host/commands/known-commands.js';
import { TurnCommands } from '@qwen/host/commands/turn-commands.js';
import type { Configuration } from '@qwen/host/config/load-config.js';
import type { McpServerChoice } from '@qwen/host/config/mcp-servers.js';
import type { SessionChoice } from '@qwen/host/config/session-choice.js';
import { discoverServers } from '@qwen/host/mcp/discover-servers.js';
import { lazyConnector, serverContext } from '@qwen/host/mcp/lazy-connector.js';
import { McpPool } from '@qwen/host/mcp/mcp-pool.js';
import { openStore } from '@qwen/host/session-store.js';
import { NO_HOOKS } from '@qwen/host/sessions/create-host.js';
import { LiveSession } from '@qwen/host/sessions/live-session.js';
import { retryWords } from '@qwen/host/styled-output/output-for.js';
import { AgentError } from '@qwen/protocol';
import { ClientFiles } from './client-files.js';
import { ClientQuestions } from './client-questions.js';
import { ConfigOptions } from './config-options.js';
import { joinPrompt, readPrompt } from './prompt-content.js';
import { answerChunk, SessionUpdates, StoredConversation, thoughtChunk } from './session-updates.js';

export interface AcpSessionOptions {
  readonly client: AgentContext;
  readonly capabilities: ClientCapabilities;
  readonly configuration: Configuration;
  readonly choice: SessionChoice;
  /** Given by the client. */
  readonly servers: McpServerChoice;
  /** Receives notices that the client cannot show. */
  readonly printError: (text: string) => void;
}

/** Commands that an editor does itself. They work if typed. */
const OF_THE_TERMINAL: ReadonlySet<string> = new Set(['copy', 'editor', 'quit', 'theme']);

interface Turn {
  readonly id: string;
  readonly result: PromiseWithResolvers<PromptResponse>;
  hasStarted: boolean;
  isCancelled: boolean;
  isCommand: boolean;
  lastStop?: ModelStop;
}

/** One session of an editor: a live session, its MCP servers and the updates that the client reads. */
export class AcpSession {
  readonly options: ConfigOptions;
  readonly #options: AcpSessionOptions;
  readonly #live: LiveSession;
  readonly #mcp: McpPool;
  readonly #turns: TurnCommands;
  readonly #updates: SessionUpdates;
  readonly #opened = Promise.withResolvers<void>();
  /** Turns answered before they started; their events are not shown. */
  readonly #abandoned = new Set<string>();
  #turn: Turn | undefined;
  #title: string | undefined;
  #offered = '';

  constructor(options: AcpSessionOptions) {
    const { client, capabilities, configuration, choice, servers } = options;
    const { cwd, allowedMcpServers } = configuration;
    this.#options = options;
    this.#updates = new SessionUpdates({
      cwd,
      nowMs: () => performance.now(),
      showsTerminals: capabilities._meta?.['terminal_output'] === true,
    });
    const questions = new ClientQuestions({ client, capabilities, cwd, sessionId: choice.sessionId });
    this.#mcp = new McpPool({
      connector: lazyConnector(() => serverContext(configuration)),
      discover: () => discoverServers(configuration),
      onChanged: () => {
        this.#live.host.refreshTools();
        void this.#offerCommands();
      },
      announce: (notice) => this.#live.announce(notice),
      elicitFor: (name) => questions.elicitFor(name),
      ...(allowedMcpServers !== undefined && { allowedNames: allowedMcpServers }),
    });
    this.#mcp.add(servers);
    this.#mcp.add(configuration.mcpServers);
    const services = { mcp: this.#mcp, hook: NO_HOOKS, agent: configuration.agentFiles, permission: questions };
    this.#live = new LiveSession({
      choice,
      configuration,
      service: () => services,
      writeEvent: (event) => this.#write(event),
      isOnly: true,
      isWatched: true,
      ...(capabilities.fs?.readTextFile === true && {
        editor: new ClientFiles({
          client,
          capabilities,
          cwd,
          sessionId: choice.sessionId,
          report: (title) => this.#showNotice(title),
        }),
      }),
    });
    this.options = new ConfigOptions(configuration, () => this.#live.host);
    this.#turns = new TurnCommands({
      host: this.#live.host,
      load: () => this.#live.commands(),
      confirmations: questions,
      publish: (event) => this.#publishCommand(event),
      quit: () => undefined,
    });
  }

  get sessionId(): string {
    return this.#live.sessionId;
  }

  /** Call once the client knows the session: updates wait for it. */
  begin(): void {
    this.#opened.resolve();
    this.#mcp.start();
    void this.#offerCommands();
    void this.options.loadModels().then((hasMore) => (hasMore ? this.#offerOptions() : undefined));
  }

  /** Rejects with the errors of the store. */
  async replay(): Promise<void> {
    const { configuration } = this.#options;
    const past = new StoredConversation(configuration.cwd);
    await openStore(configuration).read(this.sessionId, past);
    for (const update of past.updates) await this.#send(update);
  }

  /** Rejects with `invalid_message`, with `overloaded` if a prompt is running, and with the error of a failed turn. */
  async prompt(blocks: PromptRequest['prompt']): Promise<PromptResponse> {
    const { text, attachments } = readPrompt(blocks);
    if (this.#turn !== undefined) {
      const message = `A prompt is already running in session ${this.sessionId}. Wait for its answer or cancel it.`;
      throw new AgentError('overloaded', message);
    }
    const turn: Turn = {
      id: crypto.randomUUID(),
      result: Promise.withResolvers<PromptResponse>(),
      hasStarted: false,
      isCancelled: false,
      isCommand: false,
    };
    this.#turn = turn;
    const { host, inputs } = this.#live;
    const submit = (content: Parameters<typeof joinPrompt>[0]): void =>
      host.submit({ uuid: turn.id, content: joinPrompt(content, attachments) });
    try {
      inputs.add({
        promptId: () => turn.id,
        take: (signal) => {
          if (!mayBeCommand(text) && !mayReferToFiles(text)) return submit(text);
          return this.#expand(turn, text, signal).then((content) => {
            signal.throwIfAborted();
            if (content !== undefined) submit(content);
          });
        },
        refuse: (error) => this.#finish(turn, { type: 'error', error }),
      });
    } catch (thrown) {
      this.#finish(turn, { type: 'error', error: AgentError.from(thrown) });
    }
    return turn.result.promise;
  }

  /** The running prompt is answered with `cancelled`, whatever its turn does next. */
  cancel(): void {
    const turn = this.#turn;
    if (turn === undefined) return;
    turn.isCancelled = true;
    this.#live.cancel();
    if (turn.hasStarted) return;
    this.#abandoned.add(turn.id);
    this.#finish(turn, { type: 'success', text: '' });
  }

  async close(reason: 'prompt_input_exit' | 'other'): Promise<void> {
    this.cancel();
    this.#opened.resolve();
    await Promise.all([this.#live.close(reason), this.#mcp.close()]);
    if (this.#turn !== undefined) this.#finish(this.#turn, { type: 'success', text: '' });
  }

  /** The prompt for the model; undefined if a command has answered. */
  async #expand(turn: Turn, text: string, signal: AbortSignal) {
    const how = { turnId: turn.id, signal };
    const command = mayBeCommand(text) ? (await this.#live.commands()).read(text) : undefined;
    if (command === undefined) return this.#turns.expand(how, text, []);
    turn.isCommand = true;
    const content = await this.#turns.run(how, command);
    if (content !== undefined) turn.isCommand = false;
    return content;
  }

  /** The output of a command is the answer; its failure too, because the user typed it. */
  async #publishCommand(event: AgentEvent): Promise<void> {
    if (event.type === 'turn_end' && !this.#abandoned.has(event.turnId)) {
      const { outcome } = event;
      const text = outcome.type === 'success' ? outcome.text : outcome.type === 'error' ? outcome.error.message : '';
      if (text !== '') await this.#notify(answerChunk(text));
    }
    await this.#live.publish(event);
  }

  async #write(event: AgentEvent): Promise<void> {
    const turn = this.#turn;
    if (event.type === 'turn_start' && event.turnId === turn?.id) turn.hasStarted = true;
    if (event.type === 'message_end' && event.parentToolUseId === null && turn !== undefined) {
      turn.lastStop = event.stopReason;
    }
    for (const update of this.#updates.of(event)) await this.#notify(update);
    switch (event.type) {
      case 'permission_mode_changed':
        await this.#notify({ sessionUpdate: 'current_mode_update', currentModeId: event.mode });
        await this.#offerOptions();
        break;
      case 'model_changed':
        await this.#offerOptions();
        break;
      case 'notice':
        await this.#showNotice(event.message);
        break;
      case 'model_fallback':
        await this.#showNotice(`${event.from} failed: ${event.error.message} Continuing with ${event.to}.`);
        break;
      case 'retry':
        await this.#showNotice(retryWords(event));
        break;
      case 'compacted':
        await this.#showNotice(`The conversation was compacted: ${event.tokensBefore} to ${event.tokensAfter} tokens.`);
        break;
      case 'turn_end':
        await this.#report();
        if (!this.#abandoned.delete(event.turnId) && turn?.id === event.turnId) this.#finish(turn, event.outcome);
        break;
      default:
        break;
    }
  }

  #finish(turn: Turn, outcome: TurnOutcome): void {
    if (this.#turn === turn) this.#turn = undefined;
    if (turn.isCancelled) return turn.result.resolve({ stopReason: 'cancelled' });
    if (outcome.type === 'error') {
      if (turn.isCommand) return turn.result.resolve({ stopReason: 'end_turn' });
      return turn.result.reject(outcome.error);
    }
    turn.result.resolve({ stopReason: stopReasonOf(outcome, turn.lastStop) });
  }

  /** Title, time and size of the session. */
  async #report(): Promise<void> {
    try {
      const { host } = this.#live;
      const { totalTokens: used, windowTokens: size } = await host.contextUsage();
      const cost = costOf([...(await host.usage()).models.values()]);
      if (size !== undefined) await this.#notify({ sessionUpdate: 'usage_update', used, size, ...cost });
      const summary = await openStore(this.#options.configuration).summary(this.sessionId);
      const title = summary.title ?? summary.firstPrompt;
      const updatedAt = new Date(summary.modifiedAtMs).toISOString();
      const isNew = title !== undefined && title !== this.#title;
      this.#title = title;
      await this.#notify({ sessionUpdate: 'session_info_update', updatedAt, ...(isNew && { title }) });
    } catch {
      // The turn has reported that the session failed to open.
    }
  }

  async #offerCommands(): Promise<void> {
    try {
      const { registry, names } = await this.#live.commands();
      const list = registry.list();
      const offeredNames = names.filter((name) => !OF_THE_TERMINAL.has(name));
      const availableCommands = offeredNames.map((name) => {
        const command = list.find((one) => one.name === name);
        return { name, description: command?.description ?? name, input: { hint: 'arguments' } };
      });
      const offered = JSON.stringify(availableCommands);
      if (offered === this.#offered) return;
      this.#offered = offered;
      await this.#notify({ sessionUpdate: 'available_commands_update', availableCommands });
    } catch (thrown) {
      this.#options.printError(`slash commands could not be read: ${AgentError.from(thrown).message}`);
    }
  }

  #offerOptions(): Promise<void> {
    return this.#notify({ sessionUpdate: 'config_option_update', configOptions: this.options.all });
  }

  async #showNotice(title: string): Promise<void> {
    const { capabilities, printError } = this.#options;
    const hasNotices = capabilities.session?.notices !== undefined && capabilities.session.notices !== null;
    if (hasNotices) return this.#notify({ sessionUpdate: 'notice', severity: 'info', title });
    // Otherwise a prompt that waits for a retry would look stuck.
    if (this.#turn !== undefined) return this.#notify(thoughtChunk(`${title}\n`));
    printError(title);
  }

  async #notify(update: SessionUpdate): Promise<void> {
    await this.#opened.promise;
    await this.#send(update);
  }

  /** A client that has gone away ends the program elsewhere. */
  async #send(update: SessionUpdate): Promise<void> {
    const { client } = this.#options;
    await client.notify('session/update', { sessionId: this.sessionId, update }).catch(() => undefined);
  }
}

/** Unknown if the price of a model is. */
function costOf(models: readonly { readonly costUsd?: number }[]) {
  const costs = models.flatMap(({ costUsd }) => costUsd ?? []);
  if (costs.length === 0 || costs.length < models.length) return {};
  return { cost: { amount: costs.reduce((sum, one) => sum + one, 0), currency: 'USD' } };
}

function stopReasonOf(
  outcome: Exclude<TurnOutcome, { readonly type: 'error' }>,
  lastStop: ModelStop | undefined,
): PromptResponse['stopReason'] {
  switch (outcome.type) {
    case 'interrupted':
      return 'cancelled';
    case 'max_turns':
      return 'max_turn_requests';
    case 'budget':
      return outcome.limit === 'sessionTokens' || outcome.limit === 'tokens' ? 'max_tokens' : 'max_turn_requests';
    case 'success':
      if (lastStop === 'max_tokens') return 'max_tokens';
      return lastStop === 'content_filter' ? 'refusal' : 'end_turn';
  }
}
