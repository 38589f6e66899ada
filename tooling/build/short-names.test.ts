import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { shortenNames } from './short-names.ts';

test('a module keeps the names that it exports and loses those of its own', async () => {
  const code = await shortenNames('const secretName = 1;\nexport const givenName = secretName + 1;');
  expect(code).not.toContain('secretName');
  expect(code).toMatch(/export \{\s*\w+ as givenName\s*\}/);
});

test('so does a file of CommonJS, which stays one', async () => {
  const code = await shortenNames(
    'const { sep } = require("path");\nfunction secretName(longName) { return longName; }\nexports.givenName = secretName(sep);',
  );
  expect(code).not.toMatch(/secretName|longName/);
  const exports: { givenName?: string } = {};
  new Script(`(exports, require) => {${code}}`).runInThisContext()(exports, () => ({ sep: '/' }));
  expect(exports).toEqual({ givenName: '/' });
});

test('whoever asks a class for its name hears the old one', async () => {
  const code = await shortenNames(
    'class Client { agent() { return this.constructor.name; } } exports.agent = new Client().agent();',
  );
  const exports: { agent?: string } = {};
  new Script(`(exports) => {${code}}`).runInThisContext()(exports);
  expect(exports).toEqual({ agent: 'Client' });
});

test('notes for the bundler stay: which calls have no effect of their own', async () => {
  expect(await shortenNames('export const made = /* @__PURE__ */ make();')).toContain('/* @__PURE__ */');
});
