import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import {
  acceptedContent,
  type CallToolResult,
  inputRequired,
  McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Environment } from '@qwen/host/config/env.js';
import type { Configuration } from '@qwen/host/config/load-config.js';
import { readBudget } from '@qwen/host/config/prompt-limits.js';
import type { Flags } from '@qwen/host/flags/args.js';
import { openStore, type SessionStore } from '@qwen/host/session-store.js';
import { withTelemetry } from '@qwen/host/telemetry/with-telemetry.js';
import { AgentError, defined, QWEN_VERSION, readTraceContext } from '@qwen/protocol';
import { checkFolder } from '../acp/request-params.js';
import { configureSession } from '../subcommands/configure-session.js';
import { allSessions } from '../subcommands/sessions/find-session.js';
import { renderSession } from '../subcommands/sessions/render-session.js';
import { AgentRun, ANSWER_LIMIT_MS, type TurnEnd } from './agent-run.js';
import { type Capabilities, type RunInput, readCapabilities, runInput, runOutput } from './run-schemas.js';

export interface AgentServerOptions {
  readonly flags: Flags;
  readonly environment: Environment;
  /** Where the program was started; absolute. */
  readonly cwd: string;
  readonly sessionsDirectory: string;
  readonly printError: (text: string) => void;
}

/** Notifies the client that a long step is still running, in milliseconds. */
const HEARTBEAT_MS = 15_000;
const MAX_LISTED = 500;
const MAX_ROUNDS = 10_000;

const RUN = {
  title: 'Run the qwen agent',
  description:
    'Gives a task to qwen, a coding agent that reads and edits files, runs commands and searches the web in a folder. Returns its final answer. Pass session_id of an earlier result to continue that conversation.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
};

const FORMATS = [
  { name: 'session', uri: 'qwen://sessions/{id}', format: 'md', mimeType: 'text/markdown' },
  { name: 'session-json', uri: 'qwen://sessions/{id}/json', format: 'json', mimeType: 'application/json' },
] as const;

/** The agent as an MCP server of one client: a tool that runs prompts, and the sessions as resources. */
export class AgentServer {
  readonly #options: AgentServerOptions;
  readonly #runs = new Map<string, AgentRun>();
  readonly #closed = new Set<Promise<void>>();
  readonly #roots: readonly string[];

  constructor(options: AgentServerOptions) {
    this.#options = options;
    const { cwd, flags } = options;
    this.#roots = [cwd, ...(flags.includeDirectories ?? []).map((folder) => resolve(cwd, folder))].map(realFolder);
  }

  create(): McpServer {
    const server = new McpServer(
      { name: 'qwen', title: 'Qwen', version: QWEN_VERSION },
      {
        // Answers are read strictly where they are used.
        jsonSchemaValidator: {
          getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
        },
        inputRequired: { maxRounds: MAX_ROUNDS, roundTimeoutMs: ANSWER_LIMIT_MS },
      },
    );
    server.registerTool('run', { ...RUN, inputSchema: runInput, outputSchema: runOutput }, async (input, context) => {
      try {
        return await this.#run(input, context, server);
      } catch (thrown) {
        return { isError: true, content: [{ type: 'text', text: AgentError.from(thrown).message }] };
      }
    });
    for (const { name, uri, format, mimeType } of FORMATS) {
      const list = format === 'md' ? () => this.#list() : undefined;
      const description = 'A session of qwen in the allowed folders.';
      server.registerResource(
        name,
        new ResourceTemplate(uri, { list }),
        { description, mimeType },
        async (url, { id }) => ({
          contents: [{ uri: url.href, mimeType, text: await this.#read(url, { id: String(id), format }) }],
        }),
      );
    }
    return server;
  }

  /** Cancels everything that runs. */
  async close(): Promise<void> {
    for (const run of this.#runs.values()) run.cancel();
    await Promise.all(this.#closed);
  }

  async #run(input: RunInput, { mcpReq }: ServerContext, server: McpServer) {
    const known = mcpReq.requestState<string>();
    const capabilities = readCapabilities(mcpReq.envelope) ?? server.server.getClientCapabilities();
    const run = known === undefined ? await this.#start(input, capabilities, mcpReq._meta) : this.#runs.get(known);
    if (run === undefined) throw new AgentError('session_not_found', 'This run has ended. Call run again.');
    const cancel = (): void => run.cancel();
    if (mcpReq.signal.aborted) cancel();
    mcpReq.signal.addEventListener('abort', cancel, { once: true });
    const stop = reportProgress(run, mcpReq);
    try {
      if (known !== undefined) run.answer((key) => acceptedContent(mcpReq.inputResponses, key));
      const step = await run.next();
      if (step.kind === 'end') return resultOf(run.sessionId, step.end);
      const forms = Object.entries(step.forms).map(([key, form]) => [key, inputRequired.elicit(form)]);
      return inputRequired({ inputRequests: Object.fromEntries(forms), requestState: run.id });
    } finally {
      stop();
      mcpReq.signal.removeEventListener('abort', cancel);
    }
  }

  async #start(input: RunInput, capabilities: Capabilities | undefined, meta: unknown): Promise<AgentRun> {
    const { environment, printError } = this.#options;
    const { session_id: resumed, model, prompt } = input;
    const cwd = await this.#folderOf(input);
    if ([...this.#runs.values()].some(({ sessionId }) => sessionId === resumed)) {
      throw new AgentError('overloaded', `The session ${resumed} is running a prompt. Wait for its result.`);
    }
    const choice =
      resumed === undefined
        ? ({ kind: 'new', sessionId: crypto.randomUUID() } as const)
        : ({ kind: 'resume', sessionId: resumed } as const);
    const { elicitation } = capabilities ?? {};
    const mayAsk = elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
    const run = new AgentRun({ choice, prompt, mayAsk });
    this.#runs.set(run.id, run);
    const flags = { ...this.#options.flags, ...defined({ model }), ...budgetFlag(this.#options.flags, input) };
    const work = async (): Promise<void> => {
      try {
        const configuration = await configureSession({ flags, environment, cwd });
        const onProblem = ({ message }: AgentError) => configuration.debug && printError(message);
        await withTelemetry({ configuration, environment, onProblem }, async (traced) => {
          await run.start(async () => withTurns(traced, input), readTraceContext(meta));
          return 0;
        });
      } catch (thrown) {
        run.fail(AgentError.from(thrown));
      }
    };
    const closed = work().finally(() => {
      this.#runs.delete(run.id);
      this.#closed.delete(closed);
    });
    this.#closed.add(closed);
    return run;
  }

  /** The folder of a run. Rejects with `invalid_payload` outside the allowed folders, and `session_not_found`. */
  async #folderOf({ cwd, session_id: sessionId }: RunInput): Promise<string> {
    const own = sessionId === undefined ? this.#options.cwd : await this.#sessionFolder(this.#store, sessionId);
    if (own === undefined) throw new AgentError('session_not_found', `There is no session ${sessionId} here.`);
    const folder = cwd === undefined ? own : resolve(this.#options.cwd, cwd);
    checkFolder('cwd', folder);
    if (this.#isAllowed(folder)) return folder;
    const message = `cwd: ${folder} is outside the allowed folders ${this.#roots.join(', ')}. Start qwen mcp serve with --add-dir to allow it.`;
    throw new AgentError('invalid_payload', message);
  }

  get #store(): SessionStore {
    return openStore(this.#options);
  }

  /** Undefined for a session that is missing or of another folder. */
  async #sessionFolder(store: SessionStore, sessionId: string): Promise<string | undefined> {
    if (!store.has(sessionId)) return undefined;
    const { cwd } = await store.summary(sessionId);
    return this.#isAllowed(cwd) ? cwd : undefined;
  }

  #isAllowed(folder: string): boolean {
    const real = realFolder(folder);
    return this.#roots.some((root) => {
      const path = relative(root, real);
      return !isAbsolute(path) && path !== '..' && !path.startsWith('../') && !path.startsWith('..\\');
    });
  }

  async #list() {
    const sessions = (await allSessions(this.#store)).filter(({ cwd }) => this.#isAllowed(cwd)).slice(0, MAX_LISTED);
    return {
      resources: sessions.map(({ sessionId, title, firstPrompt, cwd, modifiedAtMs }) => ({
        uri: `qwen://sessions/${sessionId}`,
        name: title ?? firstPrompt ?? sessionId,
        description: cwd,
        mimeType: 'text/markdown',
        annotations: { lastModified: new Date(modifiedAtMs).toISOString() },
      })),
    };
  }

  async #read(url: URL, { id, format }: { readonly id: string; readonly format: 'md' | 'json' }): Promise<string> {
    const store = this.#store;
    if ((await this.#sessionFolder(store, id)) === undefined) throw new ResourceNotFoundError(url.href);
    return renderSession(store, { sessionId: id, format });
  }
}

/** The lower amount. */
function budgetFlag(flags: Flags, { max_budget_usd: usd }: RunInput): Pick<Flags, 'maxBudgetUsd'> {
  return usd === undefined || usd >= (readBudget(flags).usd ?? Number.POSITIVE_INFINITY)
    ? {}
    : { maxBudgetUsd: usd.toFixed(9) };
}

/** The lower number. */
function withTurns(configuration: Configuration, { max_turns: turns }: RunInput): Configuration {
  const { maxModelCalls = turns } = configuration;
  return turns === undefined || maxModelCalls === undefined
    ? configuration
    : { ...configuration, maxModelCalls: Math.min(turns, maxModelCalls) };
}

function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** Returns a function that ends it. */
function reportProgress(run: AgentRun, { _meta: meta, notify }: ServerContext['mcpReq']): () => void {
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return () => run.onProgress(() => {});
  let progress = 0;
  const report = (message: string): void => {
    progress += 1;
    const params = { progressToken, progress, message };
    notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  run.onProgress(report);
  const timer = setInterval(() => report('Working'), HEARTBEAT_MS);
  return () => {
    clearInterval(timer);
    run.onProgress(() => {});
  };
}

function resultOf(sessionId: string, { outcome, usage, permissionDenials }: TurnEnd): CallToolResult {
  const isDone = outcome.type === 'success';
  const text = isDone ? outcome.text : failureOf(outcome);
  return {
    ...(!isDone && { isError: true }),
    content: [{ type: 'text', text }],
    structuredContent: {
      text,
      session_id: sessionId,
      outcome: outcome.type,
      usage: { input_tokens: usage.input_tokens, output_tokens: usage.output_tokens },
      ...(usage.cost_usd !== undefined && { cost_usd: usage.cost_usd }),
      denials: permissionDenials.map(({ tool_name: name, reason = '' }) => ({ tool_name: name, reason })),
      ...(isDone && outcome.structured !== undefined && { structured_output: outcome.structured }),
    },
  };
}

function failureOf(outcome: Exclude<TurnEnd['outcome'], { readonly type: 'success' }>): string {
  switch (outcome.type) {
    case 'error':
      return outcome.error.message;
    case 'interrupted':
      return outcome.reason;
    case 'max_turns':
      return `It reached the limit of ${outcome.limit} model calls. Run it again with session_id to continue.`;
    case 'budget':
      return `It used up its budget (${outcome.limit}). Run it again with session_id to continue.`;
  }
}
