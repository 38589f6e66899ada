import { mkdir, readFile } from 'node:fs/promises';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { runPermissions } from '../permissions.js';
import { runTrust } from '../trust.js';

const USER = `{
  "permissions": {
    // never
    "deny": ["Read(.env)"]
  }
}
`;

async function fixture() {
  const folder = await temporaryFolder();
  await mkdir(folder.resolve('repo/.git'), { recursive: true });
  await folder.write('home/settings.json', USER);
  const outputs: string[] = [];
  const run = async (...words: readonly string[]) => {
    const printed: string[] = [];
    const options = {
      words,
      environment: { QWEN_HOME: folder.resolve('home') },
      cwd: folder.resolve('repo'),
      print: async (text: string) => void printed.push(text),
      printError: (text: string) => void outputs.push(text),
    };
    if (words[0] === 'trust') await runTrust({ ...options, words: [] });
    else await runPermissions(options);
    return printed.join('');
  };
  return { folder, run, outputs, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

test('rules are listed with file, line, and whether they apply', async () => {
  verifies('S49');
  await using at = await fixture();
  const path = await at.folder.write('repo/.qwen/settings.json', '{"permissions":{"allow":["Bash"],"ask":["Edit"]}}');
  expect(await at.run('list')).toBe(
    [
      `deny   Read(.env)  user     ${at.folder.resolve('home/settings.json')}:4`,
      `allow  Bash        project  ${path}:1  (ignored: the folder is not trusted)`,
      `ask    Edit        project  ${path}:1`,
      '',
    ].join('\n'),
  );
  await at.run('trust');
  expect(await at.run('list')).not.toContain('does not count');
  expect(JSON.parse(await at.run('list', '--json'))).toMatchObject([
    { behavior: 'deny', rule: 'Read(.env)', scope: 'user', line: 4, counts: true },
    { rule: 'Bash', scope: 'project' },
    { rule: 'Edit' },
  ]);
});

test('adds a rule to one file, removes it from all, and keeps the rest', async () => {
  await using at = await fixture();
  await at.run('trust');
  const path = at.folder.resolve('repo/.qwen/settings.local.json');
  expect(await at.run('add', 'allow', 'Bash(npm test)', 'Edit')).toBe(
    `Added allow Bash(npm test) to ${path}:4\nAdded allow Edit to ${path}:5\n`,
  );
  expect(await at.run('add', 'deny', '--scope', 'user', 'Bash(rm:*)')).toContain('settings.json:4');
  const user = () => readFile(at.folder.resolve('home/settings.json'), 'utf8');
  expect(await user()).toBe(USER.replace('"Read(.env)"', '"Read(.env)", "Bash(rm:*)"'));
  await at.run('add', 'deny', 'Bash(rm:*)');
  expect(await at.run('remove', 'deny', 'Bash(rm:*)')).toBe(
    `Removed deny Bash(rm:*) from ${at.folder.resolve('home/settings.json')}\nRemoved deny Bash(rm:*) from ${path}\n`,
  );
  expect(await user()).toBe(USER);
  expect(at.outputs).toEqual([]);
});

test('an allow rule in an untrusted project is written and reported as not yet in effect', async () => {
  verifies('S49');
  await using at = await fixture();
  await at.folder.write('repo/.qwen/settings.json', JSON.stringify({ permissions: { allow: ['Bash(id)'] } }));
  expect(await at.run('add', 'allow', 'Edit')).toContain('Added allow Edit');
  expect(at.outputs).toEqual([expect.stringContaining('qwen trust')]);
});

test.each([
  [['add', 'allow'], 'expected allow, ask or deny, and at least one rule'],
  [['add', 'maybe', 'Bash'], 'expected allow, ask or deny, and at least one rule'],
  [['add', 'allow', 'Bash('], 'permissions add: '],
  [['add', 'allow', 'Bash', '--scope', 'world'], 'is not one of user, project, local'],
  [['remove', 'deny', 'Read(.emv)'], 'did you mean "Read(.env)"?'],
  [['remove', 'allow', 'Read(.env)'], 'see qwen permissions list'],
  [['ad', 'allow'], 'did you mean "add"?'],
])('%j is refused', async (words, message) => {
  await using at = await fixture();
  await expect(at.run(...words)).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining(message) });
  expect(await readFile(at.folder.resolve('home/settings.json'), 'utf8')).toBe(USER);
});
