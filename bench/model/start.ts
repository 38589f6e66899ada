import { join } from 'node:path';
import { LineChild } from '../harness/child.ts';
import type { Script } from './answers.ts';
import { toBaseUrl } from './server.ts';

/** A separate process. Use `await using`. */
export interface Model extends AsyncDisposable {
  /** Includes `/v1`. */
  baseUrl(script: Script): string;
}

export async function startModel(): Promise<Model> {
  const child = new LineChild({ args: [join(import.meta.dirname, 'main.ts')] });
  const port = Number(await child.line());
  return { baseUrl: (script) => toBaseUrl(port, script), [Symbol.asyncDispose]: () => child.end() };
}
