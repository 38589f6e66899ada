import { fileURLToPath } from 'node:url';
import {
  calls,
  isolatedEnvironment,
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
  type TemporaryFolder,
  temporaryFolder,
} from '@qwen/testkit';
import {
  type Query,
  type QueryOptions,
  query,
  type SDKMessage,
  type SDKResultMessage,
  type SDKUserMessage,
} from '@qwen-code/sdk';

// The published SDK of qwen-code drives our CLI: its users only change the path of the executable.

/** The built CLI, as a user's app starts it. */
export const CLI = fileURLToPath(new URL('../../../packages/cli/bin/qwen.js', import.meta.url));

export interface Fixture extends AsyncDisposable {
  readonly workspace: TemporaryFolder;
  readonly model: ScriptedModel;
  readonly options: QueryOptions;
  query(prompt: string | AsyncIterable<SDKUserMessage>, own?: QueryOptions): Query;
}

/** A workspace, a model that answers as scripted, and their `query()` with our CLI. */
export async function openFixture(script: (workspace: TemporaryFolder) => readonly ScriptedReply[]): Promise<Fixture> {
  const workspace = await temporaryFolder();
  const model = await startScriptedModel(script(workspace));
  const options = stageOptions(workspace, model.env);
  return {
    workspace,
    model,
    options,
    query: (prompt, own = {}) => query({ prompt, options: { ...options, ...own } }),
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      await workspace[Symbol.asyncDispose]();
    },
  };
}

/** The options that every query on a fixture has. */
export function stageOptions(
  workspace: TemporaryFolder,
  modelEnvironment: Readonly<Record<string, string>>,
): QueryOptions {
  const env = isolatedEnvironment(workspace.resolve('home'), modelEnvironment);
  // Its logger writes to the stderr of the tests otherwise.
  return { pathToQwenExecutable: CLI, cwd: workspace.path, env, stderr: () => undefined };
}

/** Everything that a query yields. */
export async function collect(conversation: AsyncIterable<SDKMessage>): Promise<SDKMessage[]> {
  const messages: SDKMessage[] = [];
  for await (const message of conversation) messages.push(message);
  return messages;
}

export const results = (messages: readonly SDKMessage[]): SDKResultMessage[] =>
  messages.filter((message) => message.type === 'result');

export const userMessage = (content: string): SDKUserMessage => ({
  type: 'user',
  session_id: '',
  message: { role: 'user', content },
  parent_tool_use_id: null,
});

export const writesNote = (workspace: TemporaryFolder) =>
  calls({ name: 'write_file', input: { file_path: workspace.resolve('note.txt'), content: 'written' } });
