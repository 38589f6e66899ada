import { type ByteReply, startByteServer } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openCliFixture } from './cli-fixture.js';

const event = (payload: unknown) => `data: ${typeof payload === 'string' ? payload : JSON.stringify(payload)}\n\n`;
const USAGE = {
  prompt_tokens: 1_000_000,
  completion_tokens: 100_000,
  prompt_tokens_details: { cached_tokens: 400_000 },
  completion_tokens_details: { reasoning_tokens: 30_000 },
};
/** One million tokens in, of which 400,000 are cached, and 100,000 out. */
const COST_OF_GPT_4O = 0.6 * 2.5 + 0.4 * 1.25 + 0.1 * 10;
const LOOK = { index: 0, id: 'c1', function: { name: 'list_directory', arguments: '{"path":"."}' } };
const answer = (delta: object, usage: object | 'none' = USAGE): ByteReply => ({
  chunks: [
    event({ choices: [{ index: 0, delta, finish_reason: 'stop' }] }) +
      (usage === 'none' ? '' : event({ choices: [], usage })) +
      event('[DONE]'),
  ],
});
const says = answer({ content: 'Hello.' });
const looks = answer({ tool_calls: [LOOK] });
const SDK = ['-o', 'json', '--dialect', 'sdk'];

async function run(replies: readonly ByteReply[], args: readonly string[]) {
  await using server = await startByteServer(replies);
  await using fixture = await openCliFixture();
  const env = { ...fixture.env, OPENAI_BASE_URL: `${server.url}/v1` };
  const program = await fixture.start(['-p', 'go', ...args], { env });
  program.endInput();
  const { code } = await program.exited;
  const requests = server.requests.filter(({ method }) => method === 'POST').length;
  const text = program.lines.map((line) => line.text).join('\n');
  const messages = text.startsWith('[') ? (JSON.parse(text) as Record<string, unknown>[]) : [];
  return { code, text, messages, result: messages.at(-1), stderr: program.stderr, requests };
}

test('a result contains tokens and cost of the whole turn, by model', async () => {
  const { result } = await run([looks, says], ['--model', 'gpt-4o', ...SDK]);
  expect(result).toMatchObject({
    type: 'result',
    total_cost_usd: expect.closeTo(2 * COST_OF_GPT_4O),
    usage: {
      input_tokens: 2_000_000,
      output_tokens: 200_000,
      cache_read_input_tokens: 800_000,
      reasoning_output_tokens: 60_000,
    },
    modelUsage: {
      'gpt-4o': {
        inputTokens: 1_200_000,
        cacheReadInputTokens: 800_000,
        outputTokens: 200_000,
        reasoningTokens: 60_000,
        costUSD: expect.closeTo(2 * COST_OF_GPT_4O),
        webSearchRequests: 0,
        contextWindow: 128_000,
      },
    },
  });
});

test('the summary of the openai dialect contains them too', async () => {
  const { messages } = await run([says], ['--model', 'gpt-4o', '-o', 'json', '--dialect', 'openai']);
  const summary = { total_cost_usd: expect.closeTo(COST_OF_GPT_4O), model_usage: { 'gpt-4o': expect.anything() } };
  expect(messages).toContainEqual(
    expect.objectContaining({ metadata: expect.objectContaining({ summary: expect.objectContaining(summary) }) }),
  );
});

test.for<[string, ByteReply, readonly string[]]>([
  ['a model without a price', says, ['--model', 'some-model']],
  ['an answer without usage', answer({ content: 'Hello.' }, 'none'), ['--model', 'gpt-4o']],
])('%s has no cost, which is not 0', async ([, reply, args]) => {
  const { code, result } = await run([reply], [...args, ...SDK]);
  expect(code).toBe(0);
  expect(result).not.toHaveProperty('total_cost_usd');
});

test('a price in the settings applies, even if it is 0', async () => {
  const settings = (price: object) => ['--settings', JSON.stringify({ modelOptions: { prices: { mine: price } } })];
  const priced = await run([says], ['--model', 'mine', ...settings({ input: 1, output: 10 }), ...SDK]);
  expect(priced.result).toMatchObject({ total_cost_usd: expect.closeTo(2) });
  const free = await run([says], ['--model', 'mine', ...settings({ input: 0, output: 0 }), ...SDK]);
  expect(free.result).toMatchObject({ total_cost_usd: 0 });
});

test('an exceeded budget ends the turn with its own result', async () => {
  const args = ['--model', 'gpt-4o', '--max-budget-usd', '1', ...SDK];
  const { code, result, requests } = await run([looks, says], args);
  expect({ code, requests }).toEqual({ code: 1, requests: 1 });
  expect(result).toMatchObject({
    subtype: 'error_max_budget_usd',
    is_error: true,
    terminal_reason: 'usd',
    budget_remaining: { usd: 0 },
    total_cost_usd: expect.closeTo(COST_OF_GPT_4O),
  });
  const enough = await run([looks, says], ['--model', 'gpt-4o', '--max-budget-usd', '100', ...SDK]);
  expect(enough).toMatchObject({ code: 0, requests: 2, result: { subtype: 'success' } });
});

test('the tokens of an answer without counts are estimated, and the budget stops there if it is used up', async () => {
  const uncounted = answer({ tool_calls: [LOOK] }, 'none');
  const budget = (usd: string) => ['--model', 'gpt-4o', '--max-budget-usd', usd, ...SDK];
  expect(await run([uncounted, says], budget('100'))).toMatchObject({ requests: 2, result: { subtype: 'success' } });
  const { result, requests } = await run([uncounted, says], budget('0.000001'));
  expect(requests).toBe(1);
  expect(result).toMatchObject({ subtype: 'error_max_budget_usd' });
});

test('a budget without a price is refused at the start, with a fix', async () => {
  const { code, stderr, requests } = await run([says], ['--model', 'mine', '--max-budget-usd', '1']);
  expect({ code, requests }).toEqual({ code: 2, requests: 0 });
  expect(stderr).toContain('needs the price of mine, which is unknown');
  expect(stderr).toContain('{"modelOptions":{"prices":{"mine":{"input":0.5,"output":2}}}}');
  const fallback = await run([says], ['--model', 'gpt-4o', '--fallback-model', 'mine', '--max-budget-usd', '1']);
  expect(fallback).toMatchObject({ code: 2, requests: 0 });
});

test.for(['0', '-2', 'much', '1e3', ''])('--max-budget-usd=%s is refused', async (amount) => {
  const { code, stderr } = await run([says], ['--model', 'gpt-4o', `--max-budget-usd=${amount}`]);
  expect(code).toBe(2);
  expect(stderr).toContain('--max-budget-usd needs an amount above 0');
});
