import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isolatedEnvironment, says, startLineProcess, startScriptedModel, temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';

const THEIRS = createRequire(import.meta.url).resolve('@qwen-code/qwen-code/cli.js');
const QWEN = fileURLToPath(new URL('../../../packages/cli/bin/qwen.js', import.meta.url));

/** Settings of the first version, with members that changed since. */
const FIRST_VERSION = {
  theme: 'ANSI Light',
  model: 'of-the-file',
  selectedAuthType: 'openai',
  contextFileName: ['NOTES.md'],
  coreTools: ['ReadFileTool', 'GlobTool'],
  excludeTools: ['GlobTool'],
  maxSessionTurns: 9,
  disableAutoUpdate: true,
  disableCacheControl: true,
  vimMode: true,
  hideTips: true,
};

test('a file that qwen-code migrated has the same effect as before', { timeout: 120_000 }, async () => {
  await using folder = await temporaryFolder();
  await using model = await startScriptedModel([says('done')]);
  const file = await folder.write('home/.qwen/settings.json', JSON.stringify(FIRST_VERSION));
  await folder.write('NOTES.md', 'Answer in rhymes.');
  const { OPENAI_MODEL: _model, ...env } = isolatedEnvironment(folder.resolve('home'), model.env);
  const run = async (program: string) => {
    await using running = await startLineProcess({
      command: process.execPath,
      args: [program, '-p', 'go'],
      env,
      cwd: folder.path,
    });
    running.endInput();
    expect(await running.exited).toMatchObject({ code: 0 });
    return running.stderr;
  };
  const ask = async () => {
    const stderr = await run(QWEN);
    const { model: name, messages, tools } = model.requests.at(-1) ?? {};
    const [, instructions] = JSON.stringify(messages?.[0]).split('Project instructions');
    return { stderr, name, tools, instructions };
  };
  const before = await ask();
  expect(before.stderr).toContain('Members without effect: vimMode, hideTips.');
  expect(before.name).toBe('of-the-file');
  expect(before.instructions).toContain('Answer in rhymes.');
  expect(before.tools).toMatchObject([{ function: { name: 'read_file' } }]);
  await run(THEIRS);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ $version: 4, model: { name: 'of-the-file' } });
  const after = await ask();
  expect(after.stderr).toMatch(
    /Members without effect: (?:general\.vimMode|ui\.hideTips), (?:general\.vimMode|ui\.hideTips)\./,
  );
  expect({ ...after, stderr: '' }).toEqual({ ...before, stderr: '' });
});
