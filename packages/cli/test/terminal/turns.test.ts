import { says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openTerminal } from './terminal-stage.js';

/** What the input shows while it is empty. */
export const READY = 'Type a prompt';

test('a prompt is typed, its answer printed, and the input is there again', async () => {
  verifies('A-05');
  await using terminal = await openTerminal({ model: [says('Hello **you**')] });
  await terminal.until(READY);
  terminal.type('Say hello');
  await terminal.until('> Say hello');
  terminal.press('enter');
  const screen = await terminal.until((shown) => shown.includes('Hello you') && shown.includes(READY));
  expect(screen.match(/> Say hello/g)).toHaveLength(1);
  expect(terminal.model.requests).toHaveLength(1);
});
