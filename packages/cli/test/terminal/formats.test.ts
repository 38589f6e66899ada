import { readdir, readlink } from 'node:fs/promises';
import { lastText, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { answerTo, control, openCliFixture } from '../cli-fixture.js';
import { openTerminal, READY } from './terminal-fixture.js';

const LINE = JSON.stringify({ type: 'user', message: { role: 'user', content: 'From a line' } });
const HEARD = { model: [says('Heard it')] };

test.each(['stream-json', 'stream-chunk-json'])(
  '%s in one flag prevents the screen, even in a terminal',
  async (format) => {
    verifies('A-06', 'A-07');
    await using output = await openTerminal({
      ...HEARD,
      args: ['--output-format', format, 'From words'],
      columns: 400,
    });
    expect(await output.exited()).toMatchObject({ exitCode: 0 });
    expect(output.scrollback).toMatch(/^\{.*Heard it/s);
    expect(output.model.requests.map(lastText)).toEqual(['From words']);
    await using input = await openTerminal({ ...HEARD, args: ['--input-format', format], columns: 400 });
    input.type(`${LINE}\r`);
    await input.until('Heard it');
    await using both = await openTerminal({
      ...HEARD,
      args: ['--input-format', format, '--output-format', format],
      columns: 400,
    });
    both.type(`${LINE}\r`);
    await both.until(/\{.*Heard it/);
    expect(both.model.requests.map(lastText)).toEqual(['From a line']);
    for (const terminal of [output, input, both]) expect(terminal.written).not.toContain(READY);
  },
);

test('text input and output open the screen, with or without flags', async () => {
  verifies('A-07');
  await using terminal = await openTerminal({ args: ['--input-format', 'text', '--output-format', 'text'] });
  expect(await terminal.until(READY)).toContain('asks before changes');
});

test.skipIf(process.platform !== 'linux')('structured mode uses only its input and outputs', async () => {
  verifies('A-08');
  await using fixture = await openCliFixture();
  const program = await fixture.startMachine();
  program.send(control('init', { subtype: 'initialize' }));
  await program.next(answerTo('init'));
  const folder = `/proc/${program.pid}/fd`;
  const further = (await readdir(folder)).filter((name) => Number(name) > 2);
  const places = await Promise.all(further.map((name) => readlink(`${folder}/${name}`).catch(() => '')));
  expect(places.filter((place) => place.startsWith('socket:'))).toEqual([]);
});

test('text input is a prompt or a command, and text output is readable', async () => {
  verifies('A-05', 'A-11', 'A-12');
  await using fixture = await openCliFixture([says('Plain **words**')]);
  const run = async (text: string): Promise<string> => {
    const program = await fixture.start([]);
    program.write(text);
    program.endInput();
    expect(await program.exited).toMatchObject({ code: 0 });
    return program.lines.map((line) => line.text).join('\n');
  };
  expect(await run('Say something\n')).toBe('Plain **words**');
  expect(await run('/about\n')).toContain('scripted');
  expect(fixture.model.requests).toHaveLength(1);
});
