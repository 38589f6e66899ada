import { dirname } from 'node:path';
import { says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { answer, control } from '../cli-fixture.js';
import { COMMAND, chat, openCliFixture, SUMMARY, said, startLines } from './openai-fixture.js';

const slash = (path: readonly string[], args = '', more: Readonly<Record<string, unknown>> = {}) => ({
  session_id: 's',
  input: { origin: 'user', parts: [{ type: 'text', text: '' }], command: { kind: 'slash', path, args, ...more } },
});

test('a command is answered immediately, typed or explicit, during an answer', async () => {
  verifies('F-13', 'F-14', 'F-15', 'F-16', 'A-28');
  await using fixture = await openCliFixture([says('slow '.repeat(200))], { tokensPerSecond: 60 });
  const agent = await startLines(fixture);
  agent.send(chat('Speak', { session_id: 's' }));
  agent.send(slash(['chat', 'list'], '', {}));
  const explicit = await agent.next(COMMAND);
  agent.send(chat('/chat list', { session_id: 's', prompt_id: 'mine' }));
  const typed = await agent.next(COMMAND);
  expect(explicit).toMatchObject({ command: { kind: 'slash', path: ['chat', 'list'], args: '' } });
  expect(typed).toMatchObject({ prompt_id: 'mine', command: { kind: 'slash', path: ['chat', 'list'] } });
  expect(agent.lines.some(({ json }) => json !== undefined && JSON.stringify(json).includes('"summary"'))).toBe(false);
  agent.send({ type: 'control/cancel', session_id: 's' });
  await agent.next(SUMMARY);
});

test('an unknown command is an error and is not sent to the model', async () => {
  verifies('GAP-26', 'F-21');
  await using fixture = await openCliFixture([says('never asked')]);
  const agent = await startLines(fixture);
  agent.send(chat('/nope', { session_id: 's' }));
  expect(await agent.next(COMMAND)).toMatchObject({
    result: { type: 'message', level: 'error', content: 'Unknown command: /nope' },
  });
  expect(fixture.model.requests).toEqual([]);
});

test('prompts of a command are sent to the model under the same names, or only reported', async () => {
  verifies('F-18', 'F-24', 'CF-26');
  await using fixture = await openCliFixture([says('Reviewed')]);
  await fixture.workspace.write('home/.qwen/commands/review.toml', 'prompt = "Review {{args}}"');
  const agent = await startLines(fixture);
  agent.send(chat('/review a.ts', { session_id: 's', options: { command_mode: 'report' } }));
  expect(await agent.next(COMMAND)).toMatchObject({
    result: { type: 'submit_prompt', parts: [{ type: 'text', text: 'Review a.ts' }] },
  });
  agent.send(chat('/review a.ts', { session_id: 's', prompt_id: 'mine' }));
  expect(await agent.next(COMMAND)).toMatchObject({ prompt_id: 'mine', result: { handled_by: 'cli' } });
  await agent.next(said('Reviewed'));
  expect(await agent.next(SUMMARY)).toMatchObject({ metadata: { prompt_id: 'mine' } });
  expect(fixture.model.requests).toHaveLength(1);
});

const SHELL_COMMAND = 'prompt = "It says: !{touch made.txt && echo owl}"';

test('without a control channel, shell commands are reported, and run when sent again with approval', async () => {
  verifies('CF-27', 'GAP-25', 'F-19', 'F-27', 'J-09', 'L-03', 'L-05');
  await using fixture = await openCliFixture([says('Done')]);
  await fixture.workspace.write('home/.qwen/commands/show.toml', SHELL_COMMAND);
  const agent = await startLines(fixture);
  agent.send(slash(['show']));
  const { result } = await agent.next(COMMAND);
  expect(result).toMatchObject({
    type: 'confirm_shell_commands',
    original_invocation: { raw: '/show' },
    message: expect.stringContaining('was not confirmed'),
  });
  expect(fixture.model.requests).toEqual([]);
  const yes = { approvedCommands: Object(result).commands_to_confirm, confirmationOutcome: 'proceed_once' };
  agent.send(slash(['show'], '', yes));
  await agent.next(said('Done'));
  expect(JSON.stringify(fixture.model.requests[0]?.messages)).toContain('It says: owl');
});

test('a host that uses the control channel is asked through it', async () => {
  verifies('CF-27', 'CF-35', 'J-05', 'L-04');
  await using fixture = await openCliFixture([says('Done')]);
  await fixture.workspace.write('home/.qwen/commands/show.toml', SHELL_COMMAND);
  const agent = await startLines(fixture);
  agent.send(chat('/about', { session_id: 's' }));
  await agent.next(COMMAND);
  agent.send(control('names', { subtype: 'supported_commands' }));
  await agent.next({ type: 'control_response' });
  agent.send(slash(['show']));
  const question = await agent.next({ type: 'control_request', subtype: 'confirm_shell_commands' });
  expect(question).toMatchObject({ session_id: 's', request: { raw: '/show' } });
  agent.send(answer(question['request_id'], { confirmationOutcome: 'proceed_once' }));
  await agent.next(said('Done'));
});

test('commands of a project run only if it is trusted; an invalid file is reported once', async () => {
  verifies('S53', 'GAP-26');
  await using fixture = await openCliFixture([says('Done')]);
  await fixture.workspace.write('.qwen/commands/own.toml', 'prompt = "Own {{args}}"');
  await fixture.workspace.write('home/.qwen/commands/torn.toml', 'prompt = "');
  const untrusted = await startLines(fixture);
  for (const _time of ['first', 'second']) {
    untrusted.send(chat('/own', { session_id: 's' }));
    expect(await untrusted.next(COMMAND)).toMatchObject({ result: { content: 'Unknown command: /own' } });
  }
  untrusted.endInput();
  await untrusted.exited;
  const told = untrusted.lines.filter(({ text }) => text.includes('torn.toml'));
  expect(told).toHaveLength(1);
  expect(fixture.model.requests).toEqual([]);
  const trusted = await startLines(fixture, ['--trust-project']);
  trusted.send(chat('/own it', { session_id: 's2' }));
  await trusted.next(said('Done'));
  expect(JSON.stringify(fixture.model.requests.at(-1)?.messages)).toContain('Own it');
});

test('/quit reports the end and exits with a summary and exit code 0', async () => {
  verifies('GAP-07', 'F-26', 'D-44');
  await using fixture = await openCliFixture([says('never asked')]);
  const agent = await startLines(fixture);
  agent.send(chat('/quit', { session_id: 's' }));
  await agent.next({ ...COMMAND, result: { type: 'quit' } });
  expect(await agent.exited).toEqual({ code: 0, signal: null });
  expect(agent.lines.at(-1)?.text).toContain('x-qwen-ansi');
});

test('files are added to a prompt, including those that the host resolved; unreadable ones are reported', async () => {
  verifies('F-02', 'F-05', 'F-07', 'F-10', 'F-11', 'S-21');
  await using fixture = await openCliFixture([says('One'), says('Two'), says('Three')]);
  await fixture.workspace.write('notes.txt', 'the word is owl');
  await fixture.workspace.write('.env', 'KEY=secret');
  const agent = await startLines(fixture, ['--exclude-tools', 'Read(.env)']);
  agent.send(chat('What is in @notes.txt?', { session_id: 's' }));
  await agent.next(SUMMARY);
  const references = [{ original: '@n', resolved: 'notes.txt' }];
  agent.send({
    session_id: 's2',
    input: { origin: 'user', parts: [{ type: 'text', text: 'And @n?' }], command: { kind: 'at', references } },
  });
  await agent.next(SUMMARY);
  agent.send(chat('And @.env?', { session_id: 's3' }));
  const told = (line: Readonly<Record<string, unknown>>) =>
    ['x-qwen-terminal', 'denies reading .env'].every((words) => JSON.stringify(line).includes(words));
  await agent.next(told);
  await agent.next(SUMMARY);
  const [first, second, third] = fixture.model.requests.map(({ messages }) => JSON.stringify(messages));
  expect(first).toContain('the word is owl');
  expect(second).toContain('the word is owl');
  expect(third).not.toContain('KEY=secret');
});

test('a host that uses the control channel is asked before /quit', async () => {
  verifies('F-28', 'J-05', 'GAP-07');
  await using fixture = await openCliFixture([says('never asked')]);
  const agent = await startLines(fixture);
  agent.send(control('names', { subtype: 'supported_commands' }));
  await agent.next({ type: 'control_response' });
  const quit = async (confirmationOutcome: string) => {
    agent.send(chat('/quit', { session_id: 's', prompt_id: confirmationOutcome }));
    const question = await agent.next({ type: 'control_request', subtype: 'quit_confirmation' });
    expect(question).toMatchObject({ session_id: 's', request: { prompt: expect.any(String) } });
    agent.send(answer(question['request_id'], { confirmationOutcome }));
    return agent.next(COMMAND);
  };
  expect(await quit('cancel')).toMatchObject({ result: { type: 'handled' } });
  expect(await quit('proceed_once')).toMatchObject({ result: { type: 'quit' } });
  expect(await agent.exited).toEqual({ code: 0, signal: null });
});

test("an entry added to the user's memory is read by sessions of other folders", async () => {
  verifies('F-14');
  await using fixture = await openCliFixture([says('Noted')]);
  const agent = await startLines(fixture);
  agent.send(chat('/memory add --global The word is owl'));
  expect(await agent.next(COMMAND)).toMatchObject({ result: { type: 'message', level: 'info' } });
  expect(await fixture.workspace.read('home/.qwen/QWEN.md')).toContain('The word is owl');
  const elsewhere = await fixture.workspace.write('elsewhere/.keep', '');
  const other = await startLines(fixture, [], { cwd: dirname(elsewhere) });
  other.send(chat('Which word?'));
  await other.next(said('Noted'));
  expect(JSON.stringify(fixture.model.requests[0]?.messages)).toContain('The word is owl');
});
