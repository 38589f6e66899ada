import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { asksForTool, OPENING, type Script, scriptSchema, toEnding, toTextChunk, toToolAnswer } from './answers.ts';

/** Bytes per write of an unpaced answer. */
const BATCH_BYTES = 16 * 1024;

const ENDPOINT = /^\/([\w-]+)\/v1\/chat\/completions/;

/**
 * Streams chat completions as fast as possible. `@copilotkit/aimock` records each request and paces each chunk,
 * which would dominate the figures.
 * @param onBody receives the raw body of each request.
 */
export function createModelServer(onBody: (body: string) => void = () => {}): Server {
  let calls = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readText(request);
    const encoded = ENDPOINT.exec(request.url ?? '')?.[1];
    if (encoded === undefined) {
      response.writeHead(404).end();
      return;
    }
    onBody(body);
    const script = scriptSchema.parse(JSON.parse(Buffer.from(encoded, 'base64url').toString()));
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    if (script.tool !== undefined && asksForTool(body)) {
      calls += 1;
      response.end(toToolAnswer(`call_${calls}`, script.tool));
    } else {
      await streamText(response, script);
    }
  };
  return createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
}

export function toBaseUrl(port: number, script: Script): string {
  return `http://127.0.0.1:${port}/${Buffer.from(JSON.stringify(script)).toString('base64url')}/v1`;
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

async function streamText(response: ServerResponse, { deltas = 1, text = 'word ', paceMs }: Script): Promise<void> {
  response.socket?.setNoDelay(true);
  if (paceMs === undefined) await writeAtOnce(response, deltas, text);
  else await writePaced(response, deltas, paceMs);
}

async function writeAtOnce(response: ServerResponse, deltas: number, piece: string): Promise<void> {
  const chunk = toTextChunk(piece);
  const batch = Math.max(1, Math.floor(BATCH_BYTES / chunk.length));
  let text = OPENING;
  for (let left = deltas; left > 0; left -= batch) {
    text += chunk.repeat(Math.min(left, batch));
    if (left <= batch) text += toEnding('stop');
    if (!response.write(text)) await once(response, 'drain');
    text = '';
  }
  response.end();
}

/**
 * Each delta contains its time of writing from `process.hrtime`, which all processes share; wall clocks differ too
 * much.
 */
async function writePaced(response: ServerResponse, deltas: number, paceMs: number): Promise<void> {
  response.write(OPENING);
  for (let written = 0; written < deltas && !response.destroyed; written += 1) {
    await delay(paceMs);
    response.write(toTextChunk(`${process.hrtime.bigint()} `));
  }
  response.end(toEnding('stop'));
}
