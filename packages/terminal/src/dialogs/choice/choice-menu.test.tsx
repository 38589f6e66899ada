import { expect, test } from 'vitest';
import { ComponentFixture, KEYS } from '../../../test/component-fixture.js';
import { ChoiceMenu } from './choice-menu.js';

const FRUITS = ['apple', 'banana', 'cherry'].map((value) => ({ value, label: value, detail: `a ${value}` }));

function open(
  props: { readonly isFiltered?: boolean; readonly isScreenReader?: boolean; readonly rows?: number } = {},
) {
  const chosen: string[] = [];
  const { isScreenReader = false, rows = 10, ...rest } = props;
  const menu = (
    <ChoiceMenu
      {...rest}
      choices={FRUITS}
      rows={rows}
      columns={60}
      onChoose={(value) => chosen.push(value)}
      onCancel={() => chosen.push('nothing')}
    />
  );
  return { fixture: new ComponentFixture(menu, { isScreenReader }), chosen };
}

test('moves with the arrows and chooses with Enter', async () => {
  const { fixture, chosen } = open();
  await using _stage = fixture;
  expect(await fixture.until('cherry')).toBe('❯ 1. apple  a apple\n  2. banana  a banana\n  3. cherry  a cherry');
  fixture.type(KEYS.down);
  await fixture.until('❯ 2. banana');
  fixture.type(KEYS.down);
  fixture.type(KEYS.down);
  await fixture.until('❯ 1. apple');
  fixture.type(KEYS.up);
  await fixture.until('❯ 3. cherry');
  fixture.type(KEYS.enter);
  await expect.poll(() => chosen).toEqual(['cherry']);
});

test('a digit chooses its line, other text is ignored, and Escape closes', async () => {
  const { fixture, chosen } = open();
  await using _stage = fixture;
  await fixture.until('cherry');
  fixture.type('7x2');
  fixture.type(KEYS.escape);
  await expect.poll(() => chosen).toEqual(['nothing']);
  fixture.type('2');
  await expect.poll(() => chosen).toEqual(['nothing', 'banana']);
});

test('digits filter in a searchable list', async () => {
  const { fixture, chosen } = open({ isFiltered: true });
  await using _stage = fixture;
  await fixture.until('cherry');
  fixture.type('an');
  await fixture.until((screen) => screen.includes('Search: an') && !screen.includes('cherry'));
  fixture.type('1');
  await fixture.until('no matches');
  fixture.type(KEYS.enter);
  fixture.type(KEYS.backspace);
  await fixture.until('❯ banana');
  fixture.type(KEYS.enter);
  await expect.poll(() => chosen).toEqual(['banana']);
});

test('Enter that arrives together with the searched text chooses', async () => {
  const { fixture, chosen } = open({ isFiltered: true });
  await using _stage = fixture;
  await fixture.until('cherry');
  fixture.type('none\r');
  await fixture.until((screen) => screen.includes('Search: none  no matches'));
  fixture.type(KEYS.backspace.repeat(4));
  await fixture.until('cherry');
  fixture.type('che\r');
  await expect.poll(() => chosen).toEqual(['cherry']);
});

test('scrolls a long list to the selection', async () => {
  const { fixture } = open({ rows: 2 });
  await using _stage = fixture;
  await fixture.until((screen) => !screen.includes('cherry'));
  fixture.type(KEYS.up);
  expect(await fixture.until('cherry')).not.toContain('apple');
});

test('marks the selection for screen readers', async () => {
  const { fixture } = open({ isScreenReader: true });
  await using _stage = fixture;
  expect(await fixture.until('cherry')).toContain('1. apple (chosen)');
});
