import { createSdkMcpServer, type McpServerConfig, type Query, type SDKUserMessage, tool } from '@qwen/sdk';
import { calls, lastText, type ScriptedReply, says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openFixture, results, userMessage } from '../spine/fixture.ts';
import { childServer, EVERYTHING } from './real-servers.ts';

const repeat: ScriptedReply = (request) => says(lastText(request));
const stock: ScriptedReply = calls({ name: 'mcp__shop__stock', input: {} });
const echo: ScriptedReply = calls({ name: 'mcp__real__echo', input: { message: 'hello' } });
const allowedTools = ['mcp__*'];

const shopOf = (text: string, description = 'The stock.') =>
  createSdkMcpServer({
    name: 'shop',
    tools: [tool('stock', description, {}, () => ({ content: [{ type: 'text', text }] }))],
  });

/** Sends a prompt when asked to, and returns its result. */
function talk() {
  const waiting: ((message: SDKUserMessage | undefined) => void)[] = [];
  const queued: SDKUserMessage[] = [];
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    for (;;) {
      const message =
        queued.shift() ?? (await new Promise<SDKUserMessage | undefined>((resolve) => waiting.push(resolve)));
      if (message === undefined) return;
      yield message;
    }
  }
  const ask = async (conversation: Query, prompt: string) => {
    const message = userMessage(prompt);
    const next = waiting.shift();
    if (next === undefined) queued.push(message);
    else next(message);
    for (;;) {
      const step = await conversation.next();
      if (step.done === true) throw new Error('the query has ended');
      if (step.value.type === 'result') return results([step.value])[0];
    }
  };
  return { prompts: prompts(), ask };
}

const offered = (
  request: { readonly tools?: readonly { readonly function: { readonly name: string } }[] } | undefined,
) => (request?.tools ?? []).map(({ function: { name } }) => name).filter((name) => name.startsWith('mcp__shop'));

test('servers of the app are added, changed and removed between turns', async () => {
  await using fixture = await openFixture([says('ready'), stock, repeat, stock, repeat, stock, repeat]);
  const { prompts, ask } = talk();
  await using conversation = fixture.query(prompts, { allowedTools });
  expect(await ask(conversation, 'hello')).toMatchObject({ result: 'ready' });
  expect(offered(fixture.model.requests[0])).toEqual([]);

  const shop = shopOf('14 bags');
  expect(await conversation.setMcpServers({ shop })).toEqual({ added: ['shop'], removed: [], errors: {} });
  expect(await ask(conversation, 'stock?')).toMatchObject({ result: '14 bags' });
  expect(await conversation.setMcpServers({ shop })).toEqual({ added: [], removed: [], errors: {} });

  const other = shopOf('2 bags');
  expect(await conversation.setMcpServers({ shop: other })).toEqual({ added: ['shop'], removed: ['shop'], errors: {} });
  expect(await ask(conversation, 'stock?')).toMatchObject({ result: '2 bags' });

  expect(await conversation.setMcpServers({})).toEqual({ added: [], removed: ['shop'], errors: {} });
  expect(await ask(conversation, 'stock?')).toMatchObject({
    result: expect.stringContaining('There is no tool named mcp__shop__stock'),
  });
  expect(offered(fixture.model.requests.at(-1))).toEqual([]);
  expect(await conversation.mcpServerStatus()).toEqual({});
});

test('external servers are started, reported with errors and stopped; those of the options stay', async () => {
  await using fixture = await openFixture([echo, repeat, echo, repeat]);
  const { prompts, ask } = talk();
  const kept = childServer(EVERYTHING);
  await using conversation = fixture.query(prompts, { allowedTools, mcpServers: { kept } });
  const servers = { real: childServer(EVERYTHING), missing: { command: '/no/such/program' } };
  const { added, removed, errors } = await conversation.setMcpServers(servers);
  expect({ added, removed, failed: Object.keys(errors) }).toEqual({
    added: ['real', 'missing'],
    removed: [],
    failed: ['missing'],
  });
  expect(await ask(conversation, 'echo')).toMatchObject({ result: 'Echo: hello' });
  expect(await conversation.setMcpServers({})).toEqual({ added: [], removed: ['real', 'missing'], errors: {} });
  expect(await conversation.mcpServerStatus()).toEqual({ kept: 'connected' });
  expect(await ask(conversation, 'echo')).toMatchObject({ result: expect.stringContaining('There is no tool named') });
});

test('a different tool under the same name asks again', async () => {
  await using fixture = await openFixture([stock, repeat, stock, repeat]);
  const { prompts, ask } = talk();
  const asked: string[] = [];
  await using conversation = fixture.query(prompts, {
    allowedTools,
    mcpServers: { shop: shopOf('14 bags') },
    canUseTool: (name) => {
      asked.push(name);
      return { behavior: 'deny', message: 'no' };
    },
  });
  expect(await ask(conversation, 'stock?')).toMatchObject({ result: '14 bags' });
  await conversation.setMcpServers({ shop: shopOf('0 bags', 'Sends the stock to the world.') });
  await ask(conversation, 'stock?');
  expect(asked).toEqual(['mcp__shop__stock']);
});

test('an invalid definition is refused and changes nothing', async () => {
  await using fixture = await openFixture([stock, repeat]);
  const { prompts, ask } = talk();
  await using conversation = fixture.query(prompts, { allowedTools, mcpServers: { shop: shopOf('14 bags') } });
  const wrong: Record<string, McpServerConfig> = { bad: { comand: 'x' } as never };
  await expect(conversation.setMcpServers(wrong)).rejects.toMatchObject({
    code: 'invalid_options',
    message: expect.stringContaining('setMcpServers.bad.comand does not exist'),
  });
  expect(await ask(conversation, 'stock?')).toMatchObject({ result: '14 bags' });
});
