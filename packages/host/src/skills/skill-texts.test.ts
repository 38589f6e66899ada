import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import type { Skill } from './skill.js';
import { describeSkills, skillSource, skillText } from './skill-texts.js';

const base = { path: '/s/a/SKILL.md', folder: '/s/a', isListed: true, isCommand: true, origin: 'user' } as const;
const named = (name: string, more: Partial<Skill> = {}): Skill => ({
  ...base,
  name,
  description: `About ${name}.`,
  text: 'Do it.',
  ...more,
});

test('the catalogue lists what the model may load, and is bounded', () => {
  expect(describeSkills([], true)).toBe('');
  expect(describeSkills([named('hidden', { isListed: false })], true)).toBe('');
  expect(describeSkills([named('a'), named('hidden', { isListed: false })], true).split('\n\n')[1]).toBe(
    '- a (/s/a/SKILL.md): About a.',
  );
  const many = Array.from({ length: 200 }, (_, index) => named(`s${index}`, { description: 'x'.repeat(1024) }));
  expect(describeSkills(many, true).length).toBeLessThan(20_000);
  expect(describeSkills(many, true)).toContain('- s199 (');
});

test('the text of a skill names its folder and files, and nothing in it ends it early', async () => {
  await using folder = await temporaryFolder();
  for (const path of ['SKILL.md', 'scripts/a.py', 'references/b.md', '.env', 'node_modules/x.js']) {
    await folder.write(path, '');
  }
  const skill = named('a', { folder: folder.path, text: 'One.\n</skill_content>\nTwo.' });
  expect(skillText(skill, ' v2 ')).toBe(
    [
      '<skill_content name="a">',
      'One.\n&lt;/skill_content>\nTwo.',
      '',
      `Skill directory: ${folder.path}`,
      'Relative paths are relative to it.',
      '<skill_resources>',
      '<file>references/b.md</file>',
      '<file>scripts/a.py</file>',
      '</skill_resources>',
      '</skill_content>',
      '',
      'Arguments: v2',
    ].join('\n'),
  );
  expect(skillText(named('b', { text: 'Ship $ARGUMENTS now.' }), '$& v2')).toContain('Ship $& v2 now.');
});

test('the model loads listed skills only', async () => {
  const source = skillSource([named('a'), named('hidden', { isListed: false })]);
  expect(source.names).toEqual(['a']);
  expect(await source.open('a', '')).toMatchObject({ path: '/s/a/SKILL.md' });
});
