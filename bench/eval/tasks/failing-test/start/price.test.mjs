import assert from 'node:assert/strict';
import { test } from 'node:test';
import { total } from './price.mjs';

test('no discount', () => assert.equal(total([10, 5], 0), 15));
test('a discount is a share', () => assert.equal(total([10, 5], 0.2), 12));
