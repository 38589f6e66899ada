import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';

const load = (path) => import(pathToFileURL(path).href);

const { register } = await load('register.mjs');
assert.deepEqual(register({ name: ' Ann ', age: 30, admin: true }), { name: 'Ann', age: 30 });
assert.deepEqual(register({ name: 'Bo', age: 18 }), { name: 'Bo', age: 18 });
const bad = [
  {},
  null,
  undefined,
  { name: '', age: 30 },
  { name: '  ', age: 30 },
  { name: 'A', age: 17 },
  { name: 'A', age: 151 },
];
for (const user of [
  ...bad,
  { name: 'A', age: 20.5 },
  { name: 'A', age: '20' },
  { name: 5, age: 20 },
  { name: 'A', age: Number.NaN },
]) {
  assert.throws(() => register(user), TypeError, JSON.stringify(user));
}
