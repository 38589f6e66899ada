import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import {
  isolatedEnvironment,
  type ScriptedModel,
  type ScriptedModelOptions,
  type ScriptedReply,
  startScriptedModel,
  type TemporaryFolder,
  temporaryFolder,
} from '@qwen/testkit';

const CLI = fileURLToPath(new URL('../../packages/cli/bin/qwen.js', import.meta.url));

/** What a shell script said. */
export interface ScriptRun {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

/** A real `qwen serve` with a scripted model. Leaving the scope ends both. */
export interface ServeFixture extends AsyncDisposable {
  /** Such as `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly model: ScriptedModel;
  /** Where sessions work that name no folder. */
  readonly workspace: TemporaryFolder;
  /** Of the user who runs it. */
  readonly home: TemporaryFolder;
  readonly pid: number;
  /**
   * Runs a script of the document with bash as it stands. Whatever its `curl` sends to localhost:3000 reaches this
   * server: curl's own configuration file says so.
   */
  runScript(script: string, variables?: Readonly<Record<string, string>>): Promise<ScriptRun>;
  /** Sends a body to the server. */
  post(path: string, body: unknown): Promise<Response>;
}

export interface ServeFixtureOptions extends ScriptedModelOptions {
  readonly replies: readonly ScriptedReply[];
  /** Further flags of `qwen serve`. */
  readonly flags?: readonly string[];
  /** The user's settings file. Default: none. */
  readonly settings?: object;
}

export async function openServeFixture({
  replies,
  flags = [],
  settings,
  ...pace
}: ServeFixtureOptions): Promise<ServeFixture> {
  const home = await temporaryFolder();
  const workspace = await temporaryFolder();
  const model = await startScriptedModel(replies, pace);
  if (settings !== undefined) await home.write('.qwen/settings.json', JSON.stringify(settings));
  const env = isolatedEnvironment(home.path, model.env);
  const args = [CLI, 'serve', '--port', '0', '--allow-host', 'localhost:3000', '--workspace', workspace.path, ...flags];
  const server = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const url = await firstLine(server.stdout).catch(() => {
    throw new Error(`qwen serve did not start: ${stderr}`);
  });
  await home.write('.curlrc', `connect-to = "localhost:3000:${new URL(url).host}"\n`);
  const post: ServeFixture['post'] = (path, body) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return {
    url,
    model,
    workspace,
    home,
    pid: server.pid ?? 0,
    post,
    runScript: (script, variables = {}) => run(script, { ...env, PATH: process.env['PATH'] ?? '', ...variables }),
    async [Symbol.asyncDispose]() {
      const ended = server.exitCode === null && server.signalCode === null ? once(server, 'exit') : undefined;
      server.kill('SIGTERM');
      await ended;
      await model[Symbol.asyncDispose]();
      await workspace[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

async function firstLine(stdout: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of stdout) {
    text += String(chunk);
    if (text.includes('\n')) break;
  }
  if (text === '') throw new Error('no line');
  return text.split('\n', 1)[0] ?? '';
}

async function run(script: string, env: Readonly<Record<string, string>>): Promise<ScriptRun> {
  const shell = spawn('bash', ['-s'], { env: { ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  shell.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  shell.stdin.end(script);
  await once(shell, 'close');
  return { stdout, stderr, code: shell.exitCode };
}
