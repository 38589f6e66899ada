import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';

const load = (path) => import(pathToFileURL(path).href);

const { LruCache } = await load('lru.mjs');
const cache = new LruCache(2);
cache.set('a', 1);
cache.set('b', 2);
assert.equal(cache.get('a'), 1);
cache.set('c', 3);
assert.equal(cache.get('b'), undefined);
assert.equal(cache.size, 2);
cache.set('a', 4);
cache.set('d', 5);
assert.equal(cache.get('c'), undefined);
assert.equal(cache.get('a'), 4);
assert.equal(cache.size, 2);
