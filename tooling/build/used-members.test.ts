import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { usedMembers } from './used-members.ts';

test('of a library that is loaded on demand, what the loading file names is bundled and works', async () => {
  const bundle = async (plugins: (typeof usedMembers)[]) => {
    const { outputFiles } = await build({
      stdin: {
        contents: `export { PrivateKeyJwtProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js';`,
        resolveDir: fileURLToPath(new URL('../../packages/tools', import.meta.url)),
      },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      plugins,
    });
    const [{ text } = { text: '' }] = outputFiles;
    return text;
  };
  const [whole, light] = [await bundle([]), await bundle([usedMembers])];
  expect(light.length).toBeLessThan(whole.length - 80_000);
  const { PrivateKeyJwtProvider } = await import(`data:text/javascript,${encodeURIComponent(light)}`);
  const provider = new PrivateKeyJwtProvider({
    clientId: 'client-1',
    privateKey: { kty: 'oct', k: Buffer.alloc(32).toString('base64url') },
    algorithm: 'HS256',
  });
  const parameters = new URLSearchParams();
  await provider.addClientAuthentication(new Headers(), parameters, 'https://sign-in.test/token', {
    issuer: 'https://sign-in.test',
  });
  expect(parameters.get('client_assertion')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
});
