import { fileURLToPath } from 'node:url';
import { type Query, type QueryOptions, query, type SDKMessage, type SDKUserMessage } from '@qwen/sdk';
import { createServer } from '@qwen/server';
import {
  isolatedEnvironment,
  type ScriptedModel,
  type ScriptedModelOptions,
  type ScriptedReply,
  startScriptedModel,
  type TemporaryFolder,
  temporaryFolder,
} from '@qwen/testkit';

/** The built CLI, as a user's app starts it. */
export const CLI = fileURLToPath(new URL('../../packages/cli/bin/qwen.js', import.meta.url));

/** Where a scene plays: a workspace, a scripted model and the real CLI, driven through the real SDK. */
export interface Fixture extends AsyncDisposable {
  readonly workspace: TemporaryFolder;
  readonly model: ScriptedModel;
  /** The environment of the CLI: own home, no keys but the model's. */
  readonly env: Record<string, string>;
  query(prompt: string | AsyncIterable<SDKUserMessage>, options?: QueryOptions): Query;
}

export async function openFixture(replies: readonly ScriptedReply[], options?: ScriptedModelOptions): Promise<Fixture> {
  const workspace = await temporaryFolder();
  const model = await startScriptedModel(replies, options);
  const env = isolatedEnvironment(workspace.resolve('home'), model.env);
  return {
    workspace,
    model,
    env,
    query: (prompt, own = {}) =>
      query({ prompt, options: { pathToQwenExecutable: CLI, cwd: workspace.path, env, mcpReady: 'wait', ...own } }),
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      await workspace[Symbol.asyncDispose]();
    },
  };
}

/** The same with the CLI at a server, which is reached over HTTP. */
async function openServedFixture(replies: readonly ScriptedReply[], options?: ScriptedModelOptions): Promise<Fixture> {
  const fixture = await openFixture(replies, options);
  const { workspace, env } = fixture;
  const token = 'a-token-of-this-test';
  const server = await createServer({
    store: 'memory:',
    token,
    workspace: workspace.path,
    launch: { pathToQwenExecutable: CLI, env },
  });
  const { url } = await server.listen({ port: 0 });
  return {
    ...fixture,
    query: (prompt, own = {}) => query({ prompt, options: { server: { url, token }, ...own } }),
    async [Symbol.asyncDispose]() {
      await server.close({ graceMs: 0 });
      await fixture[Symbol.asyncDispose]();
    },
  };
}

/** Where the CLI of a query may run; what an app sees is the same. */
export const PLACES = { 'as a child': openFixture, 'at a server': openServedFixture } as const;

/** Everything that a query yields. */
export async function collect(conversation: AsyncIterable<SDKMessage>): Promise<SDKMessage[]> {
  const messages: SDKMessage[] = [];
  for await (const message of conversation) messages.push(message);
  return messages;
}

export function results(messages: readonly SDKMessage[]) {
  return messages.filter((message) => message.type === 'result');
}

export const userMessage = (content: string): SDKUserMessage => ({ type: 'user', message: { role: 'user', content } });
