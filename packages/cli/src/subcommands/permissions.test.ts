import { mkdir } from 'node:fs/promises';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { runPermissions } from './permissions.js';

async function fixture() {
  const folder = await temporaryFolder();
  await mkdir(folder.resolve('repo/src'), { recursive: true });
  const permissions = { allow: ['Bash(git *)'], ask: ['Bash(git push:*)'], deny: ['Bash(rm:*)', 'Read(.env)'] };
  await folder.write('home/settings.json', JSON.stringify({ permissions }));
  const run = async (...words: readonly string[]) => {
    const printed: string[] = [];
    const exitCode = await runPermissions({
      words,
      environment: { QWEN_HOME: folder.resolve('home') },
      cwd: folder.resolve('repo'),
      print: async (text) => void printed.push(text),
      printError: () => undefined,
    });
    return { exitCode, text: printed.join('') };
  };
  return { folder, run, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

test('explain prints the decision, its source, and the overridden rules', async () => {
  await using at = await fixture();
  expect(await at.run('explain', 'Bash', 'git push && rm x')).toEqual({
    exitCode: 0,
    text: [
      'deny  deny_rule  Bash(rm:*)',
      '  Rule Bash(rm:*) forbids it.',
      '  allow  "git push"  Rule Bash(git *) allows it.',
      '  ask  "rm x"  This command may change things.',
      '  shadowed  ask  Bash(git push:*)',
      '  shadowed  allow  Bash(git *)',
      '',
    ].join('\n'),
  });
  const { text } = await at.run(
    'explain',
    'read_file',
    '{"file_path":"a"}',
    '-o',
    'json',
    '--exclude-tools',
    'Read(/a)',
  );
  expect(JSON.parse(text)).toMatchObject({ behavior: 'deny', decided_by: 'deny_rule', rule: 'Read(/a)', shadowed: [] });
});

test('a command is explained in full, with invisible characters escaped', async () => {
  verifies('S25');
  await using at = await fixture();
  const { text } = await at.run('explain', 'Bash', `echo ${'x'.repeat(5000)} && rm \u001b[2Kx\u202e`);
  const parts = await at.run('explain', 'Bash', `echo ${'x'.repeat(5000)} '\u00e9' && rm x`);
  expect(parts.text).toContain(`"echo ${'x'.repeat(5000)}`);
  const other = await at.run('explain', 'read_file', '{"file_path":"/etc/\\u001b[2Kx\\u202e"}');
  expect(other.text).toContain(String.raw`/etc/\u001b[2Kx\u202e`);
  expect(text + other.text).not.toMatch(/[\u001b\u202e]/);
});

test('listed cases are checked, and a different decision fails', async () => {
  verifies('CF-47');
  await using at = await fixture();
  const good = [
    { tool: 'Bash', input: 'git status', expect: 'allow' },
    { tool: 'Bash', input: 'npm test', mode: 'plan', expect: 'deny' },
    { tool: 'Bash', input: { command: 'rm x' }, mode: 'yolo', expect: 'deny' },
    { tool: 'read_file', input: { file_path: '.env' }, expect: 'deny' },
    { tool: 'read_file', input: { file_path: 'src/a' }, expect: 'allow' },
  ];
  await at.folder.write('repo/good.json', JSON.stringify(good));
  expect(await at.run('test', 'good.json')).toEqual({ exitCode: 0, text: '5 passed, 0 failed\n' });
  await at.folder.write('repo/bad.json', JSON.stringify([{ tool: 'Bash', input: 'make', expect: 'allow' }]));
  const bad = await at.run('test', 'bad.json');
  expect(bad.exitCode).toBe(1);
  expect(bad.text).toContain('Bash "make" in mode default: expected allow\nask  default\n');
  expect(JSON.parse((await at.run('test', 'bad.json', '-o', 'json')).text)).toMatchObject([{ passed: false }]);
});

test('invalid arguments are refused by name', async () => {
  await using at = await fixture();
  await at.folder.write('repo/broken.json', '[{"tool":"Bash","expect":"maybe"}]');
  const refused = [
    ['explain', 'Bash'],
    ['look'],
    ['test', 'missing.json'],
    ['test', 'broken.json'],
    ['explain', 'Bash', '{'],
  ];
  for (const words of refused) await expect(at.run(...words)).rejects.toMatchObject({ code: 'usage' });
  await expect(at.run('explain', 'no_tool', '{}')).rejects.toMatchObject({ code: 'unknown_tool' });
  await expect(at.run('explain', 'edit', '{}')).rejects.toMatchObject({ code: 'invalid_tool_input' });
});
