import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isolatedEnvironment, type ScriptedModel, type TemporaryFolder } from '@qwen/testkit';

const CLI = fileURLToPath(new URL('../../../packages/cli/bin/qwen.js', import.meta.url));
export const TOKEN = 'pat_of-a-server-that-dies';

export interface MortalServerOptions {
  /** Everything that outlives the server lies in it. */
  readonly home: TemporaryFolder;
  readonly model: ScriptedModel;
  /** Further flags of `qwen serve`. */
  readonly flags?: readonly string[];
  /** Where sessions work that name no folder. Default: a folder in the home. */
  readonly workspace?: TemporaryFolder;
  /** Words after `node`, for a folder where sessions work. Default: `qwen serve` with the flags. */
  readonly args?: (folder: string) => readonly string[];
}

/** A real `qwen serve` that can be killed, and whose next life finds what this one has left. */
export class MortalServer implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #url: string;

  private constructor(process: ChildProcess, url: string) {
    this.#process = process;
    this.#url = url;
  }

  static async start({ home, model, flags = [], workspace, args: argsOf }: MortalServerOptions): Promise<MortalServer> {
    const folder = workspace?.path ?? home.resolve('project');
    await mkdir(folder, { recursive: true });
    const serve = [CLI, 'serve', '--port', '0', '--workspace', folder, '--token', TOKEN, ...flags];
    const args = argsOf?.(folder) ?? serve;
    const env = isolatedEnvironment(home.path, model.env);
    const server = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(server.stdout.setEncoding('utf8'), 'data');
    return new MortalServer(server, String(line).trim());
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** Ends it at once, as a power cut would. */
  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const gone = once(this.#process, 'exit');
    this.#process.kill(signal);
    await gone;
  }

  /** A request to the cloud API. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    return fetch(`${this.#url}/api/v1/cloud${path}`, { ...init, headers: { ...headers, ...init.headers } });
  }

  async post(path: string, body: unknown): Promise<Readonly<Record<string, unknown>>> {
    const response = await this.fetch(path, { method: 'POST', body: JSON.stringify(body) });
    const answer: unknown = await response.json();
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
    return Object(answer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}
