import { fileURLToPath } from 'node:url';
import {
  ProcessTransport,
  type Query,
  type QueryOptions,
  query,
  type SDKMessage,
  type SDKResultMessage,
  type SDKUserMessage,
} from '../src/index.js';
import { childEnvironment } from '../src/transport/create-transport.js';

/** The path of one of the fake CLIs beside this file. */
export function program(name: string): string {
  return fileURLToPath(new URL(`./programs/${name}.mjs`, import.meta.url));
}

/** A query that is answered by one of the fake CLIs. */
export function queryTo(
  name: string,
  request: { readonly prompt?: string | AsyncIterable<SDKUserMessage>; readonly options?: QueryOptions } = {},
): Query {
  return query({
    prompt: request.prompt ?? 'hello',
    options: { pathToQwenExecutable: program(name), ...request.options },
  });
}

/** The same with a transport that loses patience quickly. */
export function hastyQueryTo(
  name: string,
  request: { readonly prompt?: string; readonly options?: QueryOptions } = {},
): Query {
  const transport = new ProcessTransport({
    command: process.execPath,
    args: [program(name)],
    env: childEnvironment(),
    graceMs: 50,
  });
  return query({ prompt: request.prompt ?? 'hello', options: { ...request.options, transport } });
}

/** Everything that a query yields. */
export async function collect(messages: AsyncIterable<SDKMessage>): Promise<SDKMessage[]> {
  const collected: SDKMessage[] = [];
  for await (const message of messages) collected.push(message);
  return collected;
}

/** The last result that a query yields. */
export async function resultOf(messages: AsyncIterable<SDKMessage>): Promise<SDKResultMessage> {
  const result = (await collect(messages)).findLast((message) => message.type === 'result');
  if (result === undefined) throw new Error('the query had no result');
  return result;
}

/** A prompt that never says anything: the query stays open until `endInput`. */
export function silentPrompt(): AsyncIterable<SDKUserMessage> {
  return { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) };
}

export const userMessage = (content: string): SDKUserMessage => ({ type: 'user', message: { role: 'user', content } });

/** What a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (thrown) {
    return thrown;
  }
  throw new Error('it was expected to fail');
}
