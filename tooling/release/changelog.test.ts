import { expect, test } from 'vitest';
import { addRelease, readChangeset, releaseNotes } from './changelog.ts';

const changesets = [
  readChangeset(`---\n'@qwen/cli': patch\n---\n\nFix the hints.\n`),
  readChangeset(`---\n"@qwen/cli": patch\n"@qwen/sdk": minor\n---\n\nAdd \`startup()\`.\n\nIt starts the CLI early.\n`),
];
const BEFORE = '# Changelog\n\nOne version.\n\n## 0.1.0\n\nThe first release.\n';

test('a changeset counts as its largest bump', () => {
  expect(changesets.map(({ bump }) => bump)).toEqual(['patch', 'minor']);
});

test.each(['no front matter', `---\n'@qwen/cli': none\n---\n\nText.\n`, `---\n'@qwen/cli': patch\n---\n\n`])(
  'text that is not a changeset is refused: %j',
  (text) => {
    expect(() => readChangeset(text)).toThrow('Not a changeset');
  },
);

test('a release is added above the latest one, features before fixes', () => {
  expect(addRelease(BEFORE, { version: '0.2.0', changesets })).toBe(
    '# Changelog\n\nOne version.\n\n## 0.2.0\n\n### Features\n\n- Add `startup()`.\n\n  It starts the CLI early.\n\n' +
      '### Fixes\n\n- Fix the hints.\n\n## 0.1.0\n\nThe first release.\n',
  );
});

test('without changesets the changelog stays as it is', () => {
  expect(addRelease(BEFORE, { version: '0.2.0', changesets: [] })).toBe(BEFORE);
});

test('release notes are the section of one version', () => {
  const after = addRelease(BEFORE, { version: '0.2.0', changesets });
  expect(releaseNotes(after, '0.1.0')).toBe('The first release.');
  expect(releaseNotes(after, '0.2.0')).toMatch(/^### Features[^]*Fix the hints\.$/);
  expect(releaseNotes(after, '0.3.0')).toBeUndefined();
});
