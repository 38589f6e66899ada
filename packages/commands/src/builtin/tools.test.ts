import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { fakeHost, messageOf, typeIn } from '../../test/fake-host.js';

test('/tools', async () => {
  verifies('GAP-03');
  expect(await messageOf('/tools', fakeHost())).toBe('Tools:\n  read_file');
  expect(await messageOf('/tools nodesc', fakeHost())).toBe('Tools:\n  read_file');
  expect(await messageOf('/tools desc', fakeHost())).toBe('Tools:\n  read_file\n    Reads a file.');
});

test('/tools run gives a call to the host', async () => {
  verifies('F-23', 'F-04', 'GAP-24');
  const fake = fakeHost();
  expect(await typeIn('/tools run read_file {"file_path": "a b.ts"}', fake)).toEqual({
    type: 'tool',
    toolRequest: { name: 'read_file', args: { file_path: 'a b.ts' } },
  });
  expect(await typeIn('/tools run read_file', fake)).toMatchObject({ toolRequest: { args: {} } });
  expect(await typeIn('/tools run rm', fake)).toMatchObject({ level: 'error', code: 'unknown_tool' });
  for (const bad of ['/tools run', '/tools run read_file [1]', '/tools run read_file {']) {
    expect(await typeIn(bad, fake)).toMatchObject({ level: 'error', code: 'usage' });
  }
});
