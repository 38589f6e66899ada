import type { AgentEvent, PermissionPort } from '@qwen/agent';
import { needsCommands } from '@qwen/host/commands/known-commands.js';
import { TurnCommands } from '@qwen/host/commands/turn-commands.js';
import type { Configuration } from '@qwen/host/config/load-config.js';
import type { SessionChoice } from '@qwen/host/config/session-choice.js';
import { discoverServers } from '@qwen/host/mcp/discover-servers.js';
import { lazyConnector, serverContext } from '@qwen/host/mcp/lazy-connector.js';
import { McpPool } from '@qwen/host/mcp/mcp-pool.js';
import { NO_HOOKS } from '@qwen/host/sessions/create-host.js';
import { LiveSession } from '@qwen/host/sessions/live-session.js';
import { retryWords } from '@qwen/host/styled-output/output-for.js';
import { AgentError, type TraceContext } from '@qwen/protocol';
import { describeCall } from '../acp/tool-calls.js';
import { denyWithHint } from '../modes/deny-with-hint.js';
import { approvalOf, type Form } from './approvals.js';

export type TurnEnd = Extract<AgentEvent, { type: 'turn_end' }>;

export interface AgentRunOptions {
  readonly choice: SessionChoice;
  readonly prompt: string;
  /** Whether the client shows forms to its user. */
  readonly mayAsk: boolean;
}

interface Question {
  readonly form: Form;
  readonly settle: (answers: Readonly<Record<string, unknown>> | undefined) => void;
}

export type RunStep =
  | { readonly kind: 'questions'; readonly forms: Readonly<Record<string, Form>> }
  | { readonly kind: 'end'; readonly end: TurnEnd };

/** How long a client may leave a question without an answer, in milliseconds. */
export const ANSWER_LIMIT_MS = 600_000;
const NO_FORMS = 'The MCP client has no elicitation, so no one can approve it.';
const UNANSWERED = 'The MCP client did not answer in time.';

/** One prompt in one session. It waits for answers across the requests of the client. */
export class AgentRun {
  readonly id = crypto.randomUUID();
  readonly #options: AgentRunOptions;
  readonly #questions = new Map<string, Question>();
  readonly #ended = Promise.withResolvers<TurnEnd>();
  #asked = Promise.withResolvers<void>();
  #report: (message: string) => void = () => {};
  #cancel: (() => void) | undefined;
  #isCancelled = false;

  constructor(options: AgentRunOptions) {
    this.#options = options;
    this.#ended.promise.catch(() => undefined);
  }

  get sessionId(): string {
    return this.#options.choice.sessionId;
  }

  /** Receives the progress from now on. */
  onProgress(report: (message: string) => void): void {
    this.#report = report;
  }

  /** The next questions, or the end. Rejects when the prompt was refused. */
  async next(): Promise<RunStep> {
    const end = await Promise.race([this.#ended.promise, this.#asked.promise]);
    if (end !== undefined) return { kind: 'end', end };
    return {
      kind: 'questions',
      forms: Object.fromEntries([...this.#questions].map(([key, { form }]) => [key, form])),
    };
  }

  /** Settles the open questions; one without an accepted answer is a denial. */
  answer(contentOf: (key: string) => Readonly<Record<string, unknown>> | undefined): void {
    for (const [key, { settle }] of this.#questions) settle(contentOf(key));
  }

  cancel(): void {
    this.#isCancelled = true;
    this.answer(() => undefined);
    this.#cancel?.();
  }

  /** Call once. Never rejects; resolves when everything is closed. */
  async start(load: () => Promise<Configuration>, trace: TraceContext | undefined): Promise<void> {
    try {
      const configuration = await load();
      if (!configuration.provider.ok) throw configuration.provider.error;
      await this.#run(configuration, trace);
      this.#ended.reject(new AgentError('internal', 'The session ended without a result.'));
    } catch (thrown) {
      this.#ended.reject(AgentError.from(thrown));
    }
  }

  fail(error: AgentError): void {
    this.#ended.reject(error);
  }

  async #run(configuration: Configuration, trace: TraceContext | undefined): Promise<void> {
    const { choice, prompt: content, mayAsk } = this.#options;
    const { cwd, allowedMcpServers } = configuration;
    const permission = { ...this.#permissions(cwd), answersQuestions: mayAsk, about: () => this.#permissions(cwd) };
    const mcp = new McpPool({
      connector: lazyConnector(() => serverContext(configuration)),
      discover: () => discoverServers(configuration),
      onChanged: () => session.host.refreshTools(),
      announce: (notice) => session.announce(notice),
      ...(allowedMcpServers !== undefined && { allowedNames: allowedMcpServers }),
    });
    mcp.add(configuration.mcpServers);
    const service = { mcp, agent: configuration.agentFiles, hook: NO_HOOKS, permission };
    let end: TurnEnd | undefined;
    const session: LiveSession = new LiveSession({
      choice,
      configuration,
      service: () => service,
      isOnly: true,
      writeEvent: async (event) => {
        if (event.type === 'turn_end') end = event;
        else this.#show(event, cwd);
      },
    });
    this.#cancel = () => void session.cancel();
    const { host } = session;
    const commands = new TurnCommands({
      host,
      load: () => session.commands(),
      publish: (event) => session.publish(event),
      quit: () => undefined,
    });
    const prompt = { uuid: crypto.randomUUID(), content };
    if (trace !== undefined) configuration.telemetry?.expect(prompt.uuid, trace);
    try {
      session.inputs.add({
        promptId: () => prompt.uuid,
        take: (signal) => (needsCommands(content) ? commands.take(prompt, signal) : host.submit(prompt)),
        refuse: (error) => this.fail(error),
      });
      session.endInput();
      if (this.#isCancelled) session.cancel();
      await session.done;
    } finally {
      await Promise.all([session.close('prompt_input_exit'), mcp.close()]);
    }
    if (end !== undefined) this.#ended.resolve(end);
  }

  #permissions(cwd: string): PermissionPort {
    if (!this.#options.mayAsk) return denyWithHint(NO_FORMS);
    return {
      ask: async (request, { signal }) => {
        try {
          const { form, read } = approvalOf(request, cwd);
          return read(await this.#ask(form, signal));
        } catch (thrown) {
          return { behavior: 'deny', message: AgentError.from(thrown).message };
        }
      },
    };
  }

  /** Undefined unless the user accepts the form. Rejects with `timeout`, and when `signal` aborts. */
  #ask(form: Form, signal: AbortSignal): Promise<Readonly<Record<string, unknown>> | undefined> {
    return new Promise((resolve, reject) => {
      const key = crypto.randomUUID();
      const finish = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.#questions.delete(key);
        if (this.#questions.size === 0) this.#asked = Promise.withResolvers();
      };
      const onAbort = (): void => {
        finish();
        reject(AgentError.from(signal.reason, 'cancelled'));
      };
      const timer = setTimeout(() => {
        finish();
        reject(new AgentError('timeout', UNANSWERED));
      }, ANSWER_LIMIT_MS);
      signal.addEventListener('abort', onAbort, { once: true });
      const settle: Question['settle'] = (answers) => {
        finish();
        resolve(answers);
      };
      this.#questions.set(key, { form, settle });
      if (signal.aborted) onAbort();
      else this.#asked.resolve();
    });
  }

  #show(event: AgentEvent, cwd: string): void {
    if (event.type === 'tool_start') this.#report(describeCall({ name: event.name, input: event.input }, cwd).title);
    if (event.type === 'retry') this.#report(retryWords(event));
    if (event.type === 'notice') this.#report(event.message);
  }
}
