import { says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { type CliStage, openCliStage } from './cli-stage.js';

async function doctor(stage: CliStage, ...words: readonly string[]) {
  const program = await stage.start(['doctor', ...words]);
  program.endInput();
  const { code } = await program.exited;
  return { code, text: program.lines.map(({ text }) => text).join('\n'), stderr: program.stderr };
}

test('the program says whether this set-up works, also when settings would stop every start', async () => {
  await using stage = await openCliStage([says('unused')]);
  const works = await doctor(stage, '--online');
  expect(works).toMatchObject({ code: 0, stderr: '', text: expect.stringContaining('the provider responds') });
  const file = await stage.workspace.write('home/.qwen/settings.json', '{ // mine\n  "model": 7,\n}\n');
  expect(await doctor(stage)).toMatchObject({
    code: 1,
    stderr: '',
    text: expect.stringContaining(`${file}:2:3: model: expected string`),
  });
  const { findings } = JSON.parse((await doctor(stage, '--json')).text);
  expect(findings).toEqual(expect.arrayContaining([expect.objectContaining({ path: file, line: 2, column: 3 })]));
  expect(await doctor(stage, 'now')).toMatchObject({ code: 2, stderr: expect.stringContaining('unexpected argument') });
}, 30_000);
