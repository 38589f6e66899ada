import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';

const load = (path) => import(pathToFileURL(path).href);

const { save } = await load('save.mjs');
const seen = [];
const slow = async () => {
  await new Promise((resolve) => setImmediate(resolve));
  seen.push('written');
};
await save('text', { write: slow, log: (line) => seen.push(line) });
assert.deepEqual(seen, ['written', 'saved']);
const broken = async () => {
  throw new Error('full');
};
await assert.rejects(async () => save('text', { write: broken, log: () => undefined }), /full/);
