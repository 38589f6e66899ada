import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isolatedEnvironment } from '@qwen/testkit';

const QWEN = fileURLToPath(new URL('../../packages/cli/bin/qwen.js', import.meta.url));
const LIMIT_MS = 300_000;

/** One response of the model. */
export interface Turn {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly beforeMs?: number;
  readonly comments?: readonly { readonly waitMs: number; readonly bytes: string }[];
  readonly payloads?: readonly string[];
  /** Instead of payloads. */
  readonly body?: string;
  readonly ending?: 'reset';
}

/** The response to a request, counted from 1. */
export type Answer = (number: number, body: string) => Turn;

export interface Setting {
  /** Default `Go`. */
  readonly prompt?: string;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** A file to read afterwards. */
  readonly read?: string;
  readonly args?: readonly string[];
  readonly protocol?: 'openai-responses' | 'anthropic';
}

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly requests: number;
  readonly file: string | undefined;
}

export const text = (content: string) => JSON.stringify({ choices: [{ index: 0, delta: { content } }] });
/** Arguments as an object, or as the text that the model wrote. */
export function call(name: string, args: object | string): string {
  const json = typeof args === 'string' ? args : JSON.stringify(args);
  const tool = { index: 0, id: crypto.randomUUID(), function: { name, arguments: json } };
  return JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [tool] } }] });
}
export const end = (reason = 'stop') => [
  JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: reason }] }),
  '[DONE]',
];

/** Runs the program with one prompt against a model that answers like this; the last turn answers all further requests. */
export async function runQwen(turns: readonly Turn[] | Answer, setting: Setting = {}): Promise<Outcome> {
  const { prompt = 'Go', files = {}, read, args = [], protocol } = setting;
  const answer: Answer =
    typeof turns === 'function' ? turns : (number) => turns[Math.min(number, turns.length) - 1] ?? {};
  const folder = await mkdtemp(join(tmpdir(), 'qwen-robust-'));
  const workspace = join(folder, 'work');
  await mkdir(workspace);
  for (const [path, content] of Object.entries(files)) await writeFile(join(workspace, path), content);
  const model = await startModel(answer);
  const env = isolatedEnvironment(folder, {
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_MODEL: 'some-model',
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_MODEL: 'some-model',
  });
  const words = ['-p', prompt, '--yolo', ...(protocol === undefined ? [] : ['--auth-type', protocol]), ...args];
  const child = spawn(process.execPath, [QWEN, ...words], {
    cwd: workspace,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: LIMIT_MS,
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    stdout += piece;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  model.close();
  const file = read === undefined ? undefined : await readFile(join(workspace, read), 'utf8').catch(() => undefined);
  await rm(folder, { recursive: true, force: true });
  return { code, stdout, requests: model.count(), file };
}

async function startModel(answer: Answer) {
  let requests = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      body += piece;
    });
    request.on('end', () => {
      if (request.method === 'GET') return void response.writeHead(404).end();
      requests += 1;
      send(response, answer(requests, body)).catch(() => response.destroy());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the model has no port');
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${address.port}`, close, count: () => requests };
}

async function send(response: ServerResponse, turn: Turn): Promise<void> {
  const { status = 200, headers = { 'content-type': 'text/event-stream' }, beforeMs = 0, comments = [] } = turn;
  await setTimeout(beforeMs);
  response.writeHead(status, headers);
  for (const { waitMs, bytes } of comments) {
    await setTimeout(waitMs);
    response.write(bytes);
  }
  const body = turn.body ?? (turn.payloads ?? []).map((payload) => `data: ${payload}\n\n`).join('');
  if (turn.ending === undefined) return void response.end(body);
  response.write(body, () => response.socket?.resetAndDestroy());
}
