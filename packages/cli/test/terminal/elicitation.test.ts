import { calls, FAULTY_MCP_SERVER, lastText, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { untilAsked, untilFree } from './question-fixture.js';
import { openTerminal, READY } from './terminal-fixture.js';

const FORM = {
  mode: 'form',
  message: 'Who are you?',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Your name' },
      age: { type: 'integer', description: 'in years' },
      colour: { type: 'string', enum: ['red', 'blue'], default: 'red' },
    },
    required: ['name'],
  },
};

/** A terminal whose model has a real server ask the person, in each turn. */
function openAsked(form: object = FORM) {
  const asks = calls({ name: 'mcp__curious__ask', input: { ...form } });
  const hears = (request: Parameters<typeof lastText>[0]) => says(`It heard ${lastText(request)}`);
  return openTerminal({
    model: [asks, hears, asks, hears, asks],
    args: ['--allowed-tools', 'mcp__*'],
    rows: 30,
    prepare: async (workspace) => {
      const mcpServers = { curious: { command: process.execPath, args: [FAULTY_MCP_SERVER, 'none'] } };
      await workspace.write('home/.qwen/settings.json', JSON.stringify({ mcpServers }));
    },
  });
}

const ASKS = 'The MCP server curious requests input';

test('the form of an MCP server is asked field by field, and the server receives the answers', async () => {
  verifies('S97');
  await using terminal = await openAsked();
  await terminal.until(READY);
  await terminal.send('Go');
  const first = await untilAsked(terminal, ASKS);
  expect(first).toContain('Who are you?');
  expect(first).toContain('Do not enter passwords');
  terminal.type('1');
  await terminal.until('Your name');
  terminal.press('enter');
  await terminal.until('This field is required.');
  terminal.type('Ada');
  await terminal.until('> Ada');
  terminal.press('enter');
  await terminal.until('in years');
  terminal.type('old');
  await terminal.until('> old');
  terminal.press('enter');
  await terminal.until('Enter a number.');
  terminal.press('escape');
  await terminal.until((screen) => screen.includes('> Ada') && screen.includes('Enter: accept'));
  terminal.press('enter');
  await terminal.until(
    (screen) => screen.includes('in years') && !screen.includes('old') && screen.includes('Enter: accept'),
  );
  terminal.press('enter');
  await terminal.until((screen) => screen.includes('(3 of 3)') && screen.includes('Enter: accept'));
  terminal.type('2');
  await untilFree(terminal, 'It heard {"action":"accept","content":{"colour":"blue","name":"Ada"}}');
});

test('an Enter that comes too soon accepts no value that the server proposed', async () => {
  const schema = {
    type: 'object',
    properties: { path: { type: 'string', default: '/etc' }, host: { type: 'string' } },
  };
  await using terminal = await openAsked({ ...FORM, requestedSchema: schema });
  await terminal.until(READY);
  await terminal.send('Go');
  await untilAsked(terminal, ASKS);
  terminal.type('1');
  await terminal.until('> /etc');
  terminal.press('enter');
  terminal.press('enter');
  await terminal.until('Enter: accept');
  expect(terminal.screen).toContain('> /etc');
  terminal.press('enter');
  await terminal.until((screen) => screen.includes('host') && screen.includes('(2 of 2)'));
});

test('the server receives only that the person declines or cancels; Ctrl-C stops the turn', async () => {
  await using terminal = await openAsked();
  await terminal.until(READY);
  const ask = async (prompt: string) => {
    await terminal.send(prompt);
    await untilAsked(terminal, ASKS);
  };
  await ask('First');
  terminal.type('2');
  await untilFree(terminal, 'It heard {"action":"decline"}');
  await ask('Second');
  terminal.press('escape');
  await untilFree(terminal, 'It heard {"action":"cancel"}');
  await ask('Third');
  terminal.press('ctrl-c');
  expect(await untilFree(terminal, 'Request cancelled.')).not.toContain(ASKS);
});
