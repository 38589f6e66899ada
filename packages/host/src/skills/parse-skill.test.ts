import { expect, test } from 'vitest';
import { parseSkill } from './parse-skill.js';

const parse = (front: string, folder = 'release') =>
  parseSkill(`---\n${front}\n---\n\nBody.\n`, `/s/${folder}/SKILL.md`);

test('a skill of the standard, with members of other programs', () => {
  const front = [
    'name: release',
    'description: >\n  Makes a\n  release.',
    'license: MIT\nallowed-tools: Bash(git:*) Read\nmetadata:\n  author: me\nmodel: opus\nargument-hint: VERSION',
  ].join('\n');
  expect(parse(front)).toEqual({
    skill: {
      name: 'release',
      description: 'Makes a release.',
      path: '/s/release/SKILL.md',
      folder: '/s/release',
      text: 'Body.',
      isListed: true,
      isCommand: true,
      argumentHint: 'VERSION',
    },
    problems: [],
  });
});

test.each([
  ['description: d', 'release', []],
  ['name:\ndescription: d', 'release', []],
  ['name: Other\ndescription: d', 'Other', ['its name is Other, but its folder is release']],
  ['name: a b!\ndescription: d', 'release', ['"a b!" is not a valid name; it is called release']],
  [`name: ${'x'.repeat(65)}\ndescription: d`, 'x'.repeat(65), [expect.any(String), expect.stringContaining('64')]],
  ['name: 7\ndescription: d', '7', [expect.any(String)]],
])('%j loads as %s', (front, name, problems) => {
  expect(parse(front)).toMatchObject({ skill: { name }, problems });
});

test('a description with a colon, which is not valid YAML, is read', () => {
  const { skill, problems } = parse('name: release\ndescription: Use when: the user asks "please: go"\nlicense: MIT');
  expect(skill?.description).toBe('Use when: the user asks "please: go"');
  expect(problems).toEqual([]);
});

test.each([
  ['disable-model-invocation: true', { isListed: false, isCommand: true }],
  ['user-invocable: false', { isListed: true, isCommand: false }],
  ['user-invocable: "false"\ndisable-model-invocation: null', { isListed: true, isCommand: false }],
])('%s', (front, expected) => {
  expect(parse(`description: d\n${front}`).skill).toMatchObject(expected);
});

test('long and hidden text of a description is removed', () => {
  const { skill, problems } = parse(`description: "a\u{e0041}b ${'x'.repeat(2000)}"`);
  expect(skill?.description.startsWith('ab xxx')).toBe(true);
  expect(skill?.description).toHaveLength(1024);
  expect(problems).toEqual([expect.stringContaining('1024')]);
});

test.each([
  ['name: release', 'description'],
  ['description: "  "', 'description'],
  ['description: [a', 'not valid YAML'],
  ['- a', 'front matter'],
  ['a: &a [1]\nb: *a\ndescription: d', 'not valid YAML'],
])('%j cannot be used', (front, problem) => {
  expect(parse(front)).toEqual({ problems: [expect.stringContaining(problem)] });
});

test('a file without front matter cannot be used', () => {
  expect(parseSkill('# Release', '/s/release/SKILL.md').skill).toBeUndefined();
});
