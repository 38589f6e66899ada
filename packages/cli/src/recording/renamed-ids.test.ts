import { expect, test } from 'vitest';
import { RenamedIds } from './renamed-ids.js';

const asked = (id: string) => JSON.stringify({ request_id: id });

test('ids that the host uses in another order are each replaced once', () => {
  const ids = new RenamedIds();
  ids.learn(asked('1'), asked('2'));
  ids.learn(asked('2'), asked('1'));
  const answers = '{"answers":["1","2","3"],"text":"\\"1\\""}';
  expect(ids.apply(answers)).toBe('{"answers":["2","1","3"],"text":"\\"1\\""}');
});
