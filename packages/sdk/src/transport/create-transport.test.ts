import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { childEnvironment } from './create-transport.js';
import { refuseOldNode } from './process/find-cli.js';

test('NODE_OPTIONS and ELECTRON_RUN_AS_NODE are not inherited but can be set', () => {
  verifies('S91');
  const inherited = { PATH: '/bin', NODE_OPTIONS: '--inspect', ELECTRON_RUN_AS_NODE: '1' };
  expect(childEnvironment({}, inherited)).toEqual({ PATH: '/bin' });
  expect(childEnvironment({ NODE_OPTIONS: '--trace-gc' }, inherited)).toEqual({
    PATH: '/bin',
    NODE_OPTIONS: '--trace-gc',
  });
});

test('given variables take precedence, and undefined removes one', () => {
  const inherited = { KEEP: '1', CHANGE: '1', DROP: '1' };
  expect(childEnvironment({ CHANGE: '2', DROP: undefined }, inherited)).toEqual({ KEEP: '1', CHANGE: '2' });
});

test.each(['22.13.0', '22.14.1', '24.0.0'])('Node.js %s is new enough', (version) => {
  expect(() => refuseOldNode(version)).not.toThrow();
});

test.each(['18.20.8', '20.20.2', '22.12.0'])('Node.js %s is refused with a code', (version) => {
  expect(() => refuseOldNode(version)).toThrow(expect.objectContaining({ code: 'unsupported_node' }));
});
