import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { unknownMembers } from './unknown-members.js';

const part = { type: 'text', text: 'a' };

test.each([
  [{ input: { origin: 'user', parts: [part] } }, []],
  [{ input: { origin: 'user', parts: [part], moon: 1 }, stars: 2 }, ['request.input.moon', 'request.stars']],
  [{ input: { origin: 'user', parts: [] }, options: { temprature: 1 } }, ['request.options.temprature']],
  [{ messages: [{ role: 'user', content: 'a', colour: 1 }], model: 'm' }, ['request.messages.0.colour']],
  [{ type: 'heartbeat_request', sesion_id: 's' }, ['line.sesion_id']],
  [{ type: 'user', whatever: 1 }, []],
])('%j has %j', (line, strange) => {
  verifies('GAP-39');
  expect(unknownMembers(JSON.stringify(line))).toEqual(strange);
});

test('a value that is not an object has no members', () => {
  expect([unknownMembers('{'), unknownMembers('[1]')]).toEqual([[], []]);
});
