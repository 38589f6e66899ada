import { spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import {
  type ClientApp,
  type ClientCapabilities,
  type ClientContext,
  client,
  type McpServer,
  ndJsonStream,
  type PromptResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { type ScriptedModelOptions, type ScriptedReply, type TemporaryFolder, temporaryFolder } from '@qwen/testkit';
import { afterAll, onTestFailed, onTestFinished } from 'vitest';
import { BIN, type CliFixture, openCliFixture } from '../cli-fixture.js';
import { createScript } from '../shared-program.js';

type Asked = (request: RequestPermissionRequest, signal: AbortSignal) => Promise<string> | string;

export interface EditorOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly capabilities?: ClientCapabilities;
  /** The id of the option that the user chooses; `cancelled` cancels the question. Default: the first one. */
  readonly asked?: Asked;
  /** Adds handlers of the client. */
  readonly serve?: (app: ClientApp) => ClientApp;
  readonly doesInitialize?: boolean;
}

interface Received {
  readonly sessionId: string;
  readonly update: SessionUpdate;
}

/** The client of the official SDK, connected to the built program. Disposing it ends the input and waits. */
export class Editor implements AsyncDisposable {
  readonly agent: ClientContext;
  /** Every line of stdout, in order. */
  readonly lines: Record<string, unknown>[] = [];
  readonly received: Received[] = [];
  readonly questions: RequestPermissionRequest[] = [];
  readonly exited: Promise<number | null>;
  readonly pid: number;
  stderr = '';
  readonly #child: ReturnType<typeof startAgent>;
  #waiting: (() => void)[] = [];

  constructor(fixture: CliFixture, { args = ['--acp'], env = {}, asked, serve = (app) => app }: EditorOptions) {
    const child = startAgent(args, { cwd: fixture.workspace.path, env: { ...fixture.env, ...env } });
    this.#child = child;
    this.pid = child.pid ?? 0;
    child.stdin.on('error', () => undefined);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.exited = new Promise((resolve) => child.once('close', resolve));
    let rest = '';
    child.stdout.on('data', (chunk: Buffer) => {
      const parts = (rest + chunk.toString()).split('\n');
      rest = parts.pop() ?? '';
      for (const line of parts) this.lines.push(JSON.parse(line) as Record<string, unknown>);
    });
    const choose: Asked = asked ?? (({ options }) => options[0]?.optionId ?? '');
    const app = client({ name: 'editor' })
      .onNotification('session/update', ({ params }) => {
        this.received.push(params);
        this.#wake();
      })
      .onRequest('session/request_permission', async ({ params, signal }): Promise<RequestPermissionResponse> => {
        this.questions.push(params);
        this.#wake();
        const optionId = await choose(params, signal);
        return { outcome: optionId === 'cancelled' ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
      });
    const input = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>;
    this.agent = serve(app).connect(ndJsonStream(Writable.toWeb(child.stdin), input)).agent;
  }

  async newSession(cwd: string, mcpServers: McpServer[] = []): Promise<string> {
    return (await this.agent.request('session/new', { cwd, mcpServers })).sessionId;
  }

  prompt(sessionId: string, text: string): Promise<PromptResponse> {
    return this.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
  }

  updates(sessionId: string): readonly SessionUpdate[] {
    return this.received.filter((one) => one.sessionId === sessionId).map(({ update }) => update);
  }

  of<Kind extends SessionUpdate['sessionUpdate']>(kind: Kind, sessionId?: string) {
    const own = this.received.filter((one) => sessionId === undefined || one.sessionId === sessionId);
    return own.map(({ update }) => update).filter((update) => isKind(update, kind));
  }

  text(sessionId?: string): string {
    const chunks = this.of('agent_message_chunk', sessionId).map(({ content }) => content);
    return chunks.map((content) => (content.type === 'text' ? content.text : '')).join('');
  }

  /** Resolves once the condition holds; it is read after every update and question. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  send(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  endInput(): void {
    this.#child.stdin.end();
  }

  /** Closes both pipes, like an editor that dies. */
  vanish(): void {
    this.#child.stdin.destroy();
    this.#child.stdout.destroy();
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Empties its lists. */
  forget(): void {
    for (const list of [this.lines, this.received, this.questions]) list.length = 0;
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.endInput();
    this.kill();
    await this.exited;
  }
}

function startAgent(args: readonly string[], options: { cwd: string; env: Readonly<Record<string, string>> }) {
  return spawn(process.execPath, [BIN, ...args], { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
}

function isKind<Kind extends SessionUpdate['sessionUpdate']>(
  update: SessionUpdate,
  kind: Kind,
): update is Extract<SessionUpdate, { sessionUpdate: Kind }> {
  return update.sessionUpdate === kind;
}

export interface AcpFixture extends CliFixture {
  /** The program stops with the fixture. */
  open(options?: EditorOptions): Promise<Editor>;
}

export async function openAcpFixture(
  replies: readonly ScriptedReply[] = [],
  options?: ScriptedModelOptions,
): Promise<AcpFixture> {
  const fixture = await openCliFixture(replies, options);
  const editors: Editor[] = [];
  return {
    ...fixture,
    async open(editorOptions = {}) {
      const editor = new Editor(fixture, editorOptions);
      editors.push(editor);
      const { doesInitialize = true, capabilities: clientCapabilities = {} } = editorOptions;
      if (doesInitialize) await editor.agent.request('initialize', { protocolVersion: 1, clientCapabilities });
      return editor;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(editors.map((editor) => editor[Symbol.asyncDispose]()));
      await fixture[Symbol.asyncDispose]();
    },
  };
}

/** The part of one test in a shared editor. */
interface EditorTurn {
  readonly editor: Editor;
  /** Of this test, removed with it. */
  readonly folder: TemporaryFolder;
  /** Requests to the model since this test began. */
  readonly requests: () => CliFixture['model']['requests'];
}

/**
 * One editor for tests that need no start of their own: each scripts the model and opens its own sessions. A failed
 * test ends the program, so that the next one gets a new one.
 */
export function shareEditor(): (replies: readonly ScriptedReply[], asked?: Asked) => Promise<EditorTurn> {
  const script = createScript();
  const firstOption: Asked = ({ options }) => options[0]?.optionId ?? '';
  let choose = firstOption;
  let shared: Promise<{ readonly fixture: AcpFixture; readonly editor: Editor }> | undefined;
  const open = async () => {
    const fixture = await openAcpFixture([script.reply]);
    return { fixture, editor: await fixture.open({ asked: (request, signal) => choose(request, signal) }) };
  };
  const close = async () => {
    const last = await shared?.catch(() => undefined);
    shared = undefined;
    await last?.fixture[Symbol.asyncDispose]();
  };
  afterAll(close);
  return async (replies, asked = firstOption) => {
    onTestFailed(close);
    script.set(replies);
    choose = asked;
    shared ??= open();
    const { fixture, editor } = await shared;
    editor.forget();
    const folder = await temporaryFolder();
    onTestFinished(() => folder[Symbol.asyncDispose]());
    const before = fixture.model.requests.length;
    return { editor, folder, requests: () => fixture.model.requests.slice(before) };
  };
}

/** The JSON-RPC error of a request that must fail. */
export async function failure(request: Promise<unknown>): Promise<{ code: number; message: string; data?: unknown }> {
  const answer = await request.then(
    (value) => ({ value }),
    (error: unknown) => ({ error: error as { code: number; message: string; data?: unknown } }),
  );
  if ('value' in answer) throw new Error(`the request succeeded: ${JSON.stringify(answer.value)}`);
  return answer.error;
}
