import {
  calls,
  isolatedEnvironment,
  lastText,
  resourceBaseline,
  type ScriptedModel,
  type ScriptedReply,
  says,
  startScriptedModel,
  type TemporaryFolder,
  temporaryFolder,
  verifies,
} from '@qwen/testkit';
import { afterAll, expect, test } from 'vitest';
import { createSdkMcpServer, openSession, type QwenSession, type SessionOptions, tool } from '../src/index.js';
import { failureOf } from './programs.js';
import { eventsOf, eventThat } from './sessions.js';

// The built CLI, found as a dependency of this package.
const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

/** Too long to end during a test at 20 words per second. */
const ENDLESS = 'word '.repeat(10_000);

/** A session with the real CLI, a scripted model and a new folder. */
interface Fixture extends AsyncDisposable {
  readonly session: QwenSession;
  readonly model: ScriptedModel;
  readonly folder: TemporaryFolder;
}

interface FixtureOptions {
  readonly files?: Readonly<Record<string, string>>;
  /** Default: as fast as possible. */
  readonly tokensPerSecond?: number;
}

async function fixture(
  replies: readonly ScriptedReply[],
  options: SessionOptions = {},
  { files = {}, tokensPerSecond }: FixtureOptions = {},
): Promise<Fixture> {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) await folder.write(`work/${name}`, text);
  await folder.write('work/README.md', 'read me');
  const model = await startScriptedModel(replies, { tokensPerSecond });
  const env = isolatedEnvironment(folder.resolve('home'), model.env);
  const session = await openSession({ cwd: folder.resolve('work'), env, ...options });
  return {
    session,
    model,
    folder,
    async [Symbol.asyncDispose]() {
      await session.close();
      await model[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test.each(['message', 'chunk'] as const)('prompts, tools and a summary, in the %s format', async (format) => {
  verifies('A-26', 'A-27', 'A-22', 'K-01', 'K-02', 'S-08');
  const replies = [calls({ name: 'read_file', input: { file_path: 'README.md' } }), says('It says: read me.')];
  await using staged = await fixture(replies, { format });
  const { session } = staged;
  expect(session.receipt).toMatchObject({ protocol_version: 1, capabilities: { controlChannel: true } });
  const turn = session.prompt('What does it say?');
  const events = await eventsOf(turn);
  expect(events.filter(({ kind }) => kind === 'invalid')).toEqual([]);
  const states = events.flatMap((event) => (event.kind === 'tool' ? [event.display.status] : []));
  expect(states.at(0)).toBe('pending');
  expect(states.at(-1)).toBe('success');
  expect(await turn.result).toMatchObject({ text: 'It says: read me.', toolCalls: 1, error: undefined });
  expect((await turn.result).usage?.total_tokens).toBeGreaterThan(0);
});

test('sessions of one process have separate conversations, under names of the host', async () => {
  verifies('GAP-09', 'CF-64');
  const remembers: ScriptedReply = (request) =>
    says(JSON.stringify(request.messages).includes('number 7') ? 'It was 7.' : 'I forgot.');
  await using staged = await fixture([says('Noted.'), remembers, remembers], { sessionId: 'mine' });
  const { session } = staged;
  await session.prompt('The number 7.').result;
  expect(await session.prompt('Which one?', { sessionId: 'other' }).result).toMatchObject({ text: 'I forgot.' });
  expect(await session.prompt('Which one?').result).toMatchObject({ sessionId: 'mine', text: 'It was 7.' });
});

test('a killed process is replaced, and its session keeps its history', async () => {
  verifies('O-55');
  const remembers: ScriptedReply = (request) =>
    says(JSON.stringify(request.messages).includes('number 7') ? 'It was 7.' : 'I forgot.');
  await using staged = await fixture([says('Noted.'), remembers], { heartbeat: { restart: true } });
  const { session } = staged;
  const everything = session.events();
  expect(await session.prompt('The number 7.').result).toMatchObject({ text: 'Noted.' });
  process.kill(session.pid ?? 0, 'SIGKILL');
  await eventThat(everything, ({ kind }) => kind === 'restarted');
  expect(await session.prompt('Which one?').result).toMatchObject({ text: 'It was 7.' });
});

test('the model calls a tool of the app and gets its result', async () => {
  verifies('GAP-05');
  const replies: readonly ScriptedReply[] = [
    calls({ name: 'weather', input: { town: 'Ulm' } }),
    (request) => says(`It is ${lastText(request)}.`),
  ];
  const weather = {
    name: 'weather',
    description: 'The weather of a town.',
    parameters: { type: 'object', properties: { town: { type: 'string' } } },
    run: ({ town }: Record<string, unknown>) => `fine in ${String(town)}`,
  };
  await using staged = await fixture(replies, { tools: [weather] });
  expect(await staged.session.prompt('How is Ulm?').result).toMatchObject({ text: 'It is fine in Ulm.', toolCalls: 1 });
});

test('the app is asked for permission and hosts its own servers', async () => {
  verifies('J-14');
  const replies: readonly ScriptedReply[] = [
    calls({ name: 'write_file', input: { file_path: 'a.txt', content: 'a' } }),
    calls({ name: 'mcp__shop__price', input: {}, id: 'call_2' }),
    (request) => says(`It costs ${lastText(request)}.`),
  ];
  const asked: string[] = [];
  const shop = createSdkMcpServer({
    name: 'shop',
    tools: [tool('price', 'The price.', {}, () => ({ content: [{ type: 'text', text: '3 EUR' }] }))],
  });
  await using staged = await fixture(replies, {
    mcpServers: { shop },
    canUseTool: (name) => {
      asked.push(name);
      return { behavior: 'allow' };
    },
  });
  expect(await staged.session.prompt('Go').result).toMatchObject({ text: 'It costs 3 EUR.' });
  expect(asked).toContain('write_file');
  expect(await staged.folder.read('work/a.txt')).toBe('a');
});

test('commands, hints and heartbeats are answered while a turn runs', async () => {
  verifies('A-28', 'F-29', 'H-07');
  await using staged = await fixture([says(ENDLESS)], {}, { files: { 'src/index.ts': '' }, tokensPerSecond: 20 });
  const { session } = staged;
  const turn = session.prompt('Take your time', { sessionId: 'slow' });
  expect(await session.heartbeat()).toMatchObject({ status: 'ok' });
  const help = await session.command('/help');
  expect(help.command.path).toEqual(['help']);
  expect(help.result?.type).toMatch(/^(message|dialog)$/);
  expect(await session.command('/nonsense')).toMatchObject({ result: { type: 'message', level: 'error' } });
  const slash = await session.hints({ trigger: 'slash', text: '/c' });
  expect(slash?.suggestions.map(({ label }) => label)).toEqual(
    expect.arrayContaining(['chat', 'clear', 'compress', 'copy']),
  );
  const files = await session.hints({ trigger: 'at', text: '@index' });
  expect(files?.suggestions.map(({ value }) => value)).toContain('src/index.ts');
  expect(await turn.cancel()).toMatchObject({ status: 'ok' });
});

test('hints of sessions without a turn are answered in parallel under their ids', async () => {
  verifies('G-11', 'G-09');
  await using staged = await fixture([], {}, { files: { 'src/index.ts': '' } });
  const ask = (text: string, sessionId: string) => staged.session.hints({ trigger: 'slash', text, sessionId });
  const [older, one, two] = await Promise.all([ask('/st', 'one'), ask('/stats', 'one'), ask('/stats', 'two')]);
  expect(older).toBeUndefined();
  expect(one?.suggestions[0]?.value).toBe('stats');
  expect(two).toEqual(one);
});

test('a cancel ends the turn with its reason, before and after it starts', async () => {
  await using staged = await fixture([says(ENDLESS), says('alive')], {}, { tokensPerSecond: 20 });
  const { session, model } = staged;
  const turn = session.prompt('Never ends');
  while (model.requests.length === 0) await session.heartbeat();
  expect(await turn.cancel()).toMatchObject({ status: 'ok' });
  const result = await turn.result;
  expect(result.summary?.terminal_reason ?? result.error?.code).toMatch(/interrupted|user|cancel/);
  expect(await turn.cancel()).toMatchObject({ status: 'noop' });
  expect(await session.prompt('Still there?').result).toMatchObject({ text: 'alive' });
});

test('prompts beyond the limit of a session are refused, each as an error of its turn', async () => {
  verifies('GAP-09');
  await using staged = await fixture([says(ENDLESS)], {}, { tokensPerSecond: 20 });
  const { session } = staged;
  const turns = Array.from({ length: 80 }, (_, index) => session.prompt(`prompt ${index}`));
  const last = await turns.at(-1)?.result;
  expect(last?.error?.code).toBe('overloaded');
  // Those that wait would each have their turn first.
  await session.close({ graceMs: 200 });
  expect(await failureOf(turns[0]?.result ?? Promise.resolve())).toMatchObject({ code: 'channel_closed' });
});

test('/quit ends the session', async () => {
  await using staged = await fixture([], { onConfirm: () => 'proceed_once' });
  const { session } = staged;
  expect((await session.command('/quit')).result).toMatchObject({ type: 'quit' });
  expect(await session.close()).toMatchObject({ exitCode: 0 });
});
