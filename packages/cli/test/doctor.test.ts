import { says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { type CliFixture, openCliFixture } from './cli-fixture.js';

async function doctor(fixture: CliFixture, ...words: readonly string[]) {
  const program = await fixture.start(['doctor', ...words]);
  program.endInput();
  const { code } = await program.exited;
  return { code, text: program.lines.map(({ text }) => text).join('\n'), stderr: program.stderr };
}

test('reports whether the set-up works, even if settings would prevent a start', async () => {
  await using fixture = await openCliFixture([says('unused')]);
  const works = await doctor(fixture, '--online');
  expect(works).toMatchObject({ code: 0, stderr: '', text: expect.stringContaining('the provider responds') });
  const file = await fixture.workspace.write('home/.qwen/settings.json', '{ // mine\n  "model": 7,\n}\n');
  expect(await doctor(fixture)).toMatchObject({
    code: 1,
    stderr: '',
    text: expect.stringContaining(`${file}:2:3: model: expected string`),
  });
  const { findings } = JSON.parse((await doctor(fixture, '--json')).text);
  expect(findings).toEqual(expect.arrayContaining([expect.objectContaining({ path: file, line: 2, column: 3 })]));
  expect(await doctor(fixture, 'now')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('unexpected argument'),
  });
}, 30_000);
