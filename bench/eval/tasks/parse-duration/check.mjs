import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';

const load = (path) => import(pathToFileURL(path).href);

const { parseDuration } = await load('duration.mjs');
const good = { '1h30m': 5_400, '45s': 45, '2h': 7_200, '1h1m1s': 3_661, '0s': 0, '90m': 5_400 };
for (const [text, seconds] of Object.entries(good)) assert.equal(parseDuration(text), seconds, text);
for (const text of ['', 'h', '1', '1m1h', '1s1s', '-1s', '1.5h', ' 1s', '1d']) {
  assert.throws(() => parseDuration(text), RangeError, text);
}
