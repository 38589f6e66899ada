import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { fakeHost, messageOf, typeIn } from '../../test/fake-host.js';

test('/mcp lists servers, signs in and reconnects', async () => {
  verifies('GAP-03');
  const fake = fakeHost();
  const mail = 'mail - disconnected: sign in with /mcp auth mail';
  expect(await messageOf('/mcp', fake)).toBe(`maps - connected\n  find\n  /mcp__maps__route\n${mail}`);
  expect(await messageOf('/mcp desc', fake)).toContain('  find\n    Finds.\n');
  expect(await messageOf('/mcp schema', fake)).toContain('"type": "object"');
  expect(await messageOf('/mcp auth', fake)).toBe('Sign-in required:\n  mail');
  expect(await messageOf('/mcp auth mail', fake)).toBe('Signed in to mail. The server is connected.');
  expect(await messageOf('/mcp refresh maps', fake)).toBe('maps: connected');
  expect(await typeIn('/mcp refresh', fake)).toMatchObject({
    level: 'error',
    content: 'maps: connected\nmail: refused',
  });
  expect(fake.calls).toEqual(['signIn mail']);
});
