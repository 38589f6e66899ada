import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Query, type QueryOptions, query, type SDKUserMessage } from '@qwen/sdk';
import {
  isolatedEnvironment,
  type ScriptedModel,
  type ScriptedReply,
  says,
  startScriptedModel,
  type TemporaryFolder,
  temporaryFolder,
} from '@qwen/testkit';

// Our SDK drives the CLI that others published.

const require = createRequire(import.meta.url);
const PEER_CLI = require.resolve('@qwen-code/qwen-code/cli.js');

/** It takes seconds to start, so tests of several starts need more than the usual time. */
export const SLOW_START_MS = 90_000;

export interface Fixture extends AsyncDisposable {
  readonly workspace: TemporaryFolder;
  readonly model: ScriptedModel;
  /** The requests of the conversation itself. */
  readonly asked: ScriptedModel['requests'];
  /** What the CLI and the SDK said on stderr. */
  readonly heard: readonly string[];
  query(prompt: string | AsyncIterable<SDKUserMessage>, own?: QueryOptions): Query;
}

/** What it asks besides: after a turn a second agent looks for something to remember. */
function isAside({ messages, tools }: ScriptedModel['requests'][number]): boolean {
  return tools === undefined || JSON.stringify(messages[0]).includes('memory extraction');
}

/** A workspace, a model that answers the conversation as scripted, and our `query()` with their CLI. */
export async function openFixture(script: (workspace: TemporaryFolder) => readonly ScriptedReply[]): Promise<Fixture> {
  const workspace = await temporaryFolder();
  // Its home must exist.
  await mkdir(workspace.resolve('home'));
  const replies = script(workspace);
  const asked: ScriptedModel['requests'][number][] = [];
  const model = await startScriptedModel([
    (request) => {
      if (isAside(request)) return says('There is nothing to remember.');
      asked.push(request);
      const reply = replies[Math.min(asked.length, replies.length) - 1] ?? says('');
      return typeof reply === 'function' ? reply(request) : reply;
    },
  ]);
  const heard: string[] = [];
  const env = isolatedEnvironment(workspace.resolve('home'), model.env);
  return {
    workspace,
    model,
    asked,
    heard,
    query: (prompt, own = {}) =>
      query({
        prompt,
        options: {
          pathToQwenExecutable: PEER_CLI,
          cwd: workspace.path,
          env,
          stderr: (line) => heard.push(line),
          ...own,
        },
      }),
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      await workspace[Symbol.asyncDispose]();
    },
  };
}
