import { readFileSync } from 'node:fs';
import { says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { answerTo, control, openCliFixture, prompt, RESULT } from './cli-fixture.js';
import { shareProgram } from './shared-program.js';

const ask = shareProgram((fixture) => fixture.startMachine());

test('a command in the SDK dialect has its own result, without a model call', async () => {
  verifies('F-13', 'F-14', 'J-13');
  await using fixture = await openCliFixture([says('never asked')]);
  const agent = await fixture.startMachine();
  agent.send(control('init', { subtype: 'initialize' }));
  agent.send(prompt('/about'));
  agent.endInput();
  expect(await agent.next(RESULT)).toMatchObject({ subtype: 'success', is_error: false, num_turns: 0 });
  expect(await agent.exited).toEqual({ code: 0, signal: null });
  expect(fixture.model.requests).toEqual([]);
});

test('an unknown name returns the specified error', async () => {
  verifies('GAP-26');
  const { agent, requests } = await ask(says('never asked'));
  agent.send(prompt('/nope'));
  expect(await agent.next(RESULT)).toMatchObject({ is_error: true, error: { message: 'Unknown command: /nope' } });
  expect(requests()).toEqual([]);
});

test('commands and command files are listed immediately and by the first turn', async () => {
  verifies('CF-40', 'M-35');
  await using fixture = await openCliFixture([says('Done')]);
  await fixture.workspace.write('home/.qwen/commands/review.toml', 'prompt = "Review {{args}}"');
  const agent = await fixture.startMachine();
  agent.send(control('init', { subtype: 'initialize' }));
  agent.send(control('names', { subtype: 'supported_commands' }));
  expect(await agent.next(answerTo('init'))).toMatchObject({
    response: { response: { commands: expect.arrayContaining(['clear', 'help']) } },
  });
  expect(await agent.next(answerTo('names'))).toMatchObject({
    response: { response: { commands: expect.arrayContaining(['review', 'help']) } },
  });
  agent.send(prompt('/review a.ts'));
  agent.endInput();
  expect(await agent.next({ type: 'system', subtype: 'init' })).toMatchObject({
    slash_commands: expect.arrayContaining(['review']),
  });
  await agent.next(RESULT);
  expect(JSON.stringify(fixture.model.requests[0]?.messages.at(-1))).toContain('Review a.ts');
});

test('files that a prompt refers to are attached', async () => {
  verifies('F-02', 'F-05');
  const { agent, fixture, requests } = await ask(says('Read'));
  await fixture.workspace.write('notes.txt', 'the secret word is owl');
  agent.send(prompt('What is in @notes.txt?'));
  expect(await agent.next({ type: 'system', subtype: 'notice' })).toMatchObject({
    data: { code: 'file_references', files: [{ path: 'notes.txt', size: 22 }] },
  });
  await agent.next(RESULT);
  expect(JSON.stringify(requests()[0]?.messages.at(-1))).toContain('the secret word is owl');
});

test('a literal prompt reaches the model unchanged', async () => {
  verifies('S53');
  const { agent, fixture, requests } = await ask(says('Read'));
  await fixture.workspace.write('notes.txt', 'the secret word is owl');
  agent.send({ ...prompt('/about @notes.txt'), is_literal: true });
  await agent.next(RESULT);
  expect(requests()[0]?.messages.at(-1)).toMatchObject({ content: '/about @notes.txt' });
});

test('/about, /docs and /bug show the version and URLs of the package', async () => {
  await using fixture = await openCliFixture([says('never asked')]);
  const { version, homepage, bugs } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const print = async (line: string) => {
    const program = await fixture.start([line]);
    program.endInput();
    await program.exited;
    return program.lines.map(({ text }) => text).join('\n');
  };
  expect(await print('/about')).toContain(`qwen ${version}\n`);
  expect(await print('/docs')).toBe(`Documentation: ${homepage}`);
  expect(await print('/bug Crash')).toContain(`\n${bugs}/new?title=Crash&`);
});

test('a command on the command line prints its output', async () => {
  verifies('F-13', 'A-12');
  await using fixture = await openCliFixture([says('never asked')]);
  const program = await fixture.start(['/help']);
  program.endInput();
  expect(await program.exited).toEqual({ code: 0, signal: null });
  expect(program.lines.map(({ text }) => text).join('\n')).toContain('/compress');
  const unknown = await fixture.start(['-p', '/nope']);
  unknown.endInput();
  expect(await unknown.exited).toMatchObject({ code: 1 });
  expect(unknown.stderr).toContain('Unknown command: /nope. /help lists the commands.');
  const misspelled = await fixture.start(['-p', '/compres']);
  misspelled.endInput();
  await misspelled.exited;
  expect(misspelled.stderr).toContain('Unknown command: /compres. Did you mean /compress?');
  expect(fixture.model.requests).toEqual([]);
});
