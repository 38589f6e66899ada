import { expect, test } from 'vitest';
import { Headers as LightHeaders } from './web-classes.ts';

test.for<[string, [string, string][] | Record<string, string> | undefined]>([
  ['nothing', undefined],
  [
    'pairs',
    [
      ['B', '1'],
      ['a', '2'],
      ['b', ' 3 '],
    ],
  ],
  ['a record', { 'X-Key': '1', accept: '*/*' }],
])('made of %s and changed, they read as those of Node do', ([, init]) => {
  const read = (headers: Headers | LightHeaders) => {
    headers.append('Accept', 'a/b');
    headers.set('C', 'c');
    headers.set('d', 'd');
    headers.delete('D');
    const seen: string[] = [];
    headers.forEach((value, name) => seen.push(name, value));
    return {
      seen,
      entries: [...headers.entries()],
      iterated: [...headers],
      keys: [...headers.keys()],
      values: [...headers.values()],
      got: [headers.get('ACCEPT'), headers.get('d'), headers.get('B')],
      had: [headers.has('Accept'), headers.has('d')],
    };
  };
  expect(read(new LightHeaders(init))).toEqual(read(new Headers(init)));
});
