import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { fakeHost, messageOf, typeIn } from '../../test/fake-host.js';

test('/mcp lists servers, signs in and connects anew', async () => {
  verifies('GAP-03');
  const fake = fakeHost();
  const mail = 'mail - disconnected: /mcp auth mail signs in';
  expect(await messageOf('/mcp', fake)).toBe(`maps - connected\n  find\n  /mcp__maps__route\n${mail}`);
  expect(await messageOf('/mcp desc', fake)).toContain('  find\n    Finds.\n');
  expect(await messageOf('/mcp schema', fake)).toContain('"type": "object"');
  expect(await messageOf('/mcp auth', fake)).toBe('To be signed in to:\n  mail');
  expect(await messageOf('/mcp auth mail', fake)).toBe('Signed in to mail; it is connected.');
  expect(await messageOf('/mcp refresh maps', fake)).toBe('maps is connected');
  expect(await typeIn('/mcp refresh', fake)).toMatchObject({
    level: 'error',
    content: 'maps is connected\nmail failed: refused',
  });
  expect(fake.calls).toEqual(['signIn mail']);
});
