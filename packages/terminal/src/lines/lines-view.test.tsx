import { Box, Text } from 'ink';
import { expect, test } from 'vitest';
import { ComponentFixture } from '../../test/component-fixture.js';
import { Lines } from './lines-view.js';

test('renders one row per line, even if empty or too wide', async () => {
  const lines = [[{ text: 'one', token: 'AccentRed' } as const, { text: ' more' }], [], [{ text: 'x'.repeat(100) }]];
  await using fixture = new ComponentFixture(
    <Box flexDirection="column">
      <Lines lines={lines} />
      <Text>below</Text>
    </Box>,
    { columns: 20 },
  );
  const rows = (await fixture.until('below')).split('\n');
  expect(rows.slice(0, 2)).toEqual(['one more', '']);
  expect(rows[2]).toMatch(/^x+…?$/);
  expect(rows[3]).toBe('below');
});

test('renders nothing for no lines', async () => {
  await using fixture = new ComponentFixture(
    <Box flexDirection="column">
      <Lines lines={[]} />
      <Text>below</Text>
    </Box>,
  );
  expect(await fixture.until('below')).toBe('below');
});
