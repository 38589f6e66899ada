import { expect, test } from 'vitest';
import { ComponentStage, KEYS } from '../../../test/component-stage.js';
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
      isActive
      rows={rows}
      columns={60}
      onChoose={(value) => chosen.push(value)}
      onCancel={() => chosen.push('nothing')}
    />
  );
  return { stage: new ComponentStage(menu, { isScreenReader }), chosen };
}

test('arrows move, Enter chooses', async () => {
  const { stage, chosen } = open();
  await using _stage = stage;
  expect(await stage.until('cherry')).toBe('❯ 1. apple  a apple\n  2. banana  a banana\n  3. cherry  a cherry');
  stage.type(KEYS.down);
  await stage.until('❯ 2. banana');
  stage.type(KEYS.down);
  stage.type(KEYS.down);
  await stage.until('❯ 1. apple');
  stage.type(KEYS.up);
  await stage.until('❯ 3. cherry');
  stage.type(KEYS.enter);
  await expect.poll(() => chosen).toEqual(['cherry']);
});

test('a number chooses its line at once, another key nothing, Escape leaves', async () => {
  const { stage, chosen } = open();
  await using _stage = stage;
  await stage.until('cherry');
  for (const keys of ['7', 'x', '2', KEYS.escape]) stage.type(keys);
  await expect.poll(() => chosen).toEqual(['banana', 'nothing']);
});

test('where typing narrows the list, digits are words too', async () => {
  const { stage, chosen } = open({ isFiltered: true });
  await using _stage = stage;
  await stage.until('cherry');
  stage.type('an');
  await stage.until((screen) => screen.includes('Search: an') && !screen.includes('cherry'));
  stage.type('1');
  await stage.until('nothing fits');
  stage.type(KEYS.enter);
  stage.type(KEYS.backspace);
  await stage.until('❯ banana');
  stage.type(KEYS.enter);
  await expect.poll(() => chosen).toEqual(['banana']);
});

test('a long list shows the part with the chosen line', async () => {
  const { stage } = open({ rows: 2 });
  await using _stage = stage;
  await stage.until((screen) => !screen.includes('cherry'));
  stage.type(KEYS.up);
  expect(await stage.until('cherry')).not.toContain('apple');
});

test('a screen reader hears which line is chosen', async () => {
  const { stage } = open({ isScreenReader: true });
  await using _stage = stage;
  expect(await stage.until('cherry')).toContain('1. apple (chosen)');
});
