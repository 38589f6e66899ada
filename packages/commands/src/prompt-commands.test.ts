import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { fakeHost, typeIn } from '../test/fake-host.js';
import { builtinCommands, CommandRegistry, promptCommands, type ServerPrompt } from './index.js';
import { readArguments } from './prompt-commands.js';

const forecast: ServerPrompt = {
  commandName: 'mcp__weather__forecast',
  description: 'Tells the weather.',
  parameters: [
    { name: 'city', required: true },
    { name: 'day', required: false },
  ],
  fill: async (values) => JSON.stringify(values),
};

test('an MCP prompt is a command that submits a prompt', async () => {
  verifies('F-24');
  const sources = [promptCommands(() => [forecast])];
  expect(await typeIn('/mcp__Weather__forecast "New York" --day=friday', fakeHost(), { sources })).toEqual({
    type: 'submit_prompt',
    content: '{"day":"friday","city":"New York"}',
  });
  const broken = { ...forecast, fill: () => Promise.reject(new Error('gone')) };
  expect(
    await typeIn('/mcp__weather__forecast', fakeHost(), { sources: [promptCommands(() => [broken])] }),
  ).toMatchObject({
    level: 'error',
    content: 'gone',
  });
});

test('prompts come and go with their servers, and built-in names take precedence', () => {
  let prompts: readonly ServerPrompt[] = [];
  const registry = new CommandRegistry([builtinCommands(), promptCommands(() => prompts)]);
  expect(registry.find(forecast.commandName)).toBeUndefined();
  prompts = [forecast, { ...forecast, commandName: 'clear' }];
  expect(registry.find(forecast.commandName)).toMatchObject({ kind: 'mcp-prompt', usage: '--city=… [--day=…]' });
  expect(registry.find('clear')?.kind).toBe('built-in');
  expect(registry.conflicts.map(({ command: { kind } }) => kind)).toEqual(['mcp-prompt']);
});

test('missing parameters are completed', async () => {
  const [command] = promptCommands(() => [forecast]).list();
  const sources = { host: fakeHost().host, commands: [] };
  expect((await command?.complete?.('--', sources))?.map(({ value }) => value)).toEqual(['--city=', '--day=']);
  expect(await command?.complete?.('--city=x ', sources)).toEqual([
    { value: '--city=x --day=', description: 'optional' },
  ]);
});

const CITY_AND_DAY = [{ name: 'city' }, { name: 'day' }];

test.each([
  ['', {}],
  ['Oslo', { city: 'Oslo' }],
  ['Oslo next friday', { city: 'Oslo', day: 'next friday' }],
  ['"New York" today', { city: 'New York', day: 'today' }],
  ["--day='next friday' Oslo", { city: 'Oslo', day: 'next friday' }],
  ['--day=friday --city=Oslo', { city: 'Oslo', day: 'friday' }],
  ['--other=1 today', { city: '--other=1', day: 'today' }],
])('%s', (text, values) => {
  expect(readArguments(CITY_AND_DAY, text)).toEqual(values);
});

test('a single parameter takes the whole text', () => {
  expect(readArguments([{ name: 'text' }], "it's a  long one")).toEqual({ text: expect.stringContaining('long one') });
});
