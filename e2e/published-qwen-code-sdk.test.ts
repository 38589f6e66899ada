import { createDeferred } from '@qwen/protocol';
import {
  calls,
  isolatedEnvironment,
  type ScriptedReply,
  says,
  startByteServer,
  startScriptedModel,
  type TemporaryFolder,
  temporaryFolder,
  verifies,
} from '@qwen/testkit';
import {
  createSdkMcpServer,
  type QueryOptions,
  query,
  type SDKMessage,
  type SDKUserMessage,
  tool,
} from '@qwen-code/sdk';
import { expect, test } from 'vitest';
import * as z3 from 'zod3';
import { CLI } from './spine/stage.ts';

// The SDK that others published drives our CLI: whoever uses it today changes only the path of the executable.

async function openStage(script: (workspace: TemporaryFolder) => readonly ScriptedReply[]) {
  const workspace = await temporaryFolder();
  const model = await startScriptedModel(script(workspace));
  return {
    workspace,
    model,
    query: (prompt: string | AsyncIterable<SDKUserMessage>, own: QueryOptions = {}) =>
      query({ prompt, options: { ...options(workspace.path, model.env), ...own } }),
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      await workspace[Symbol.asyncDispose]();
    },
  };
}

function options(cwd: string, modelEnvironment: Readonly<Record<string, string>>): QueryOptions {
  return { pathToQwenExecutable: CLI, cwd, env: isolatedEnvironment(`${cwd}/home`, modelEnvironment) };
}

async function collect(conversation: AsyncIterable<SDKMessage>): Promise<SDKMessage[]> {
  const messages: SDKMessage[] = [];
  for await (const message of conversation) messages.push(message);
  return messages;
}

const results = (messages: readonly SDKMessage[]) => messages.filter((message) => message.type === 'result');

const userMessage = (content: string): SDKUserMessage => ({
  type: 'user',
  session_id: '',
  message: { role: 'user', content },
  parent_tool_use_id: null,
});

/** Relative to the file system's root, as this SDK's own CLI insists. */
const writesNote = (workspace: TemporaryFolder) =>
  calls({ name: 'write_file', input: { file_path: workspace.resolve('note.txt'), content: 'written' } });

test('a single turn', async () => {
  verifies('P-01', 'P-10', 'O-53');
  await using stage = await openStage(() => [says('Hello from the model.')]);
  const messages = await collect(stage.query('hi'));
  expect(messages[0]).toMatchObject({ type: 'system', subtype: 'init', model: 'scripted' });
  expect(messages.find((message) => message.type === 'assistant')).toMatchObject({
    message: { role: 'assistant', content: [{ type: 'text', text: 'Hello from the model.' }] },
  });
  expect(messages.at(-1)).toMatchObject({ type: 'result', subtype: 'success', result: 'Hello from the model.' });
});

test('several turns in one conversation', async () => {
  verifies('F26');
  await using stage = await openStage(() => [says('one'), says('two')]);
  const answered = createDeferred<void>();
  async function* prompts() {
    yield userMessage('first');
    await answered.promise;
    yield userMessage('second');
  }
  const seen: string[] = [];
  for await (const message of stage.query(prompts())) {
    if (message.type !== 'result') continue;
    seen.push(message.subtype === 'success' ? message.result : message.subtype);
    answered.resolve();
  }
  expect(seen).toEqual(['one', 'two']);
  expect(stage.model.requests[1]?.messages.map((message) => message.role).slice(-3)).toEqual([
    'user',
    'assistant',
    'user',
  ]);
});

test('canUseTool allows, with the input that the app gives', async () => {
  verifies('M-38', 'M-42', 'M-49', 'FB2');
  await using stage = await openStage((workspace) => [writesNote(workspace), says('done')]);
  const asked: unknown[] = [];
  const messages = await collect(
    stage.query('write', {
      canUseTool: async (name, input) => {
        asked.push([name, input]);
        return { behavior: 'allow', updatedInput: { ...input, content: 'changed' } };
      },
    }),
  );
  expect(asked).toEqual([['write_file', { file_path: stage.workspace.resolve('note.txt'), content: 'written' }]]);
  expect(await stage.workspace.read('note.txt')).toBe('changed');
  expect(results(messages)).toMatchObject([{ subtype: 'success', result: 'done' }]);
});

test('canUseTool denies, and the model reads why', async () => {
  verifies('M-41', 'M-49');
  await using stage = await openStage((workspace) => [writesNote(workspace), says('then not')]);
  const messages = await collect(
    stage.query('write', { canUseTool: async () => ({ behavior: 'deny', message: 'not on my disk' }) }),
  );
  await expect(stage.workspace.read('note.txt')).rejects.toThrow('ENOENT');
  expect(JSON.stringify(stage.model.requests[1]?.messages.at(-1))).toContain('not on my disk');
  expect(results(messages)).toMatchObject([{ subtype: 'success', result: 'then not' }]);
});

test('without a callback what needs permission is denied', async () => {
  verifies('CF-49', 'M-50');
  await using stage = await openStage((workspace) => [writesNote(workspace), says('then not')]);
  await collect(stage.query('write'));
  await expect(stage.workspace.read('note.txt')).rejects.toThrow('ENOENT');
});

test('its own in-process MCP server is served', async () => {
  verifies('M-10', 'M-64', 'M-65', 'M-66', 'O-31', 'FB1');
  await using stage = await openStage(() => [
    calls({ name: 'mcp__calculator__sum', input: { a: 2, b: 40 } }),
    (request) => says(`It is ${JSON.stringify(request.messages.at(-1)?.content)}.`),
  ]);
  const calculator = createSdkMcpServer({
    name: 'calculator',
    tools: [
      tool('sum', 'Adds two numbers.', { a: z3.number(), b: z3.number() }, async ({ a, b }) => ({
        content: [{ type: 'text', text: `sum:${a + b}` }],
      })),
    ],
  });
  const messages = await collect(
    stage.query('add', {
      mcpServers: { calculator },
      canUseTool: async (_name, input) => ({ behavior: 'allow', updatedInput: input }),
    }),
  );
  expect(results(messages)).toMatchObject([{ subtype: 'success', result: expect.stringContaining('sum:42') }]);
});

test('interrupt stops the turn, and the conversation goes on', async () => {
  verifies('M-24', 'M-25', 'F48', 'FB8');
  await using workspace = await temporaryFolder();
  const event = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  await using server = await startByteServer([
    { chunks: [event({ role: 'assistant', content: 'I start ' })], ending: 'hang' },
    { chunks: [event({ role: 'assistant', content: 'and go on' }), event({}, 'stop'), 'data: [DONE]\n\n'] },
  ]);
  const interrupted = createDeferred<void>();
  async function* prompts() {
    yield userMessage('first');
    await interrupted.promise;
    yield userMessage('second');
  }
  const model = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'sk-scripted', OPENAI_MODEL: 'scripted' };
  const conversation = query({
    prompt: prompts(),
    options: { ...options(workspace.path, model), includePartialMessages: true },
  });
  const seen: SDKMessage[] = [];
  for await (const message of conversation) {
    const isDelta = message.type === 'stream_event' && message.event.type === 'content_block_delta';
    if (isDelta && server.requests.length === 1) await conversation.interrupt();
    if (message.type === 'result') interrupted.resolve();
    seen.push(message);
  }
  expect(results(seen)).toHaveLength(2);
  expect(results(seen)[1]).toMatchObject({ subtype: 'success', result: 'and go on' });
});

test('setModel holds from the next model call', async () => {
  verifies('M-27', 'M-34', 'O-07');
  await using stage = await openStage(() => [says('one'), says('two')]);
  const switched = createDeferred<void>();
  async function* prompts() {
    yield userMessage('first');
    await switched.promise;
    yield userMessage('second');
  }
  const conversation = stage.query(prompts());
  for await (const message of conversation) {
    if (message.type !== 'result' || stage.model.requests.length > 1) continue;
    await conversation.setModel('another-model');
    switched.resolve();
  }
  expect(stage.model.requests.map((request) => request.model)).toEqual(['scripted', 'another-model']);
});

test('setPermissionMode holds from the next decision', async () => {
  verifies('M-45', 'M-54', 'M-57', 'O-10');
  await using stage = await openStage((workspace) => [
    writesNote(workspace),
    says('denied'),
    writesNote(workspace),
    says('written'),
  ]);
  const switched = createDeferred<void>();
  async function* prompts() {
    yield userMessage('first');
    await switched.promise;
    yield userMessage('second');
  }
  const asked: string[] = [];
  const conversation = stage.query(prompts(), {
    canUseTool: async (name) => {
      asked.push(name);
      return { behavior: 'deny', message: 'no' };
    },
  });
  for await (const message of conversation) {
    if (message.type !== 'result' || stage.model.requests.length > 2) continue;
    await conversation.setPermissionMode('yolo');
    switched.resolve();
  }
  expect(asked).toEqual(['write_file']);
  expect(await stage.workspace.read('note.txt')).toBe('written');
});

test('questions about commands and MCP servers are answered', async () => {
  verifies('M-36', 'M-62', 'O-08', 'O-11');
  await using stage = await openStage(() => [says('one')]);
  const asked = createDeferred<void>();
  async function* prompts() {
    await asked.promise;
    yield userMessage('first');
  }
  const conversation = stage.query(prompts());
  expect(await conversation.supportedCommands()).toMatchObject({ commands: expect.any(Array) });
  expect(await conversation.mcpServerStatus()).toBeTypeOf('object');
  asked.resolve();
  expect(results(await collect(conversation))).toHaveLength(1);
});
