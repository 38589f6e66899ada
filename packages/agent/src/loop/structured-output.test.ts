import { expect, test } from 'vitest';
import {
  call,
  calling,
  createTestSession,
  outcomes,
  results,
  runAll,
  saying,
  tool,
} from '../../test/scripted-engine.js';
import type { OutputSchema } from '../ports.js';

const NUMBER_SCHEMA = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };

/** Wants `{n: <number>}`, or a number where the schema is one. */
function numbers(schema: OutputSchema['schema'] = NUMBER_SCHEMA): OutputSchema {
  return {
    schema,
    problemsOf: (value) => {
      const found = schema['type'] === 'number' ? value : Object(value)['n'];
      return typeof found === 'number' ? [] : ['n: is not a number'];
    },
  };
}

const giving = (value: unknown) => calling(call('o', 'structured_output', value as Record<string, unknown>));

test('the output is a valid value, and its text is its JSON', async () => {
  const { session, model } = createTestSession([calling(call('a', 'look')), giving({ n: 3 }), saying('never asked')], {
    tools: [tool('look')],
    output: numbers(),
  });
  expect(outcomes(await runAll(session, 'go'))).toEqual([{ type: 'success', text: '{"n":3}', structured: { n: 3 } }]);
  expect(model.requests).toHaveLength(2);
  expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(['look', 'structured_output']);
  expect(model.requests[0]?.tools[1]?.inputSchema).toEqual(NUMBER_SCHEMA);
});

test('an invalid value is returned with its problems, three times at most', async () => {
  const wrong = giving({ n: 'x' });
  const corrected = createTestSession([wrong, wrong, wrong, giving({ n: 1 })], { output: numbers() });
  const events = await runAll(corrected.session, 'go');
  expect(outcomes(events)).toMatchObject([{ type: 'success', structured: { n: 1 } }]);
  expect(results(events)[0]).toContain('n: is not a number');

  const stubborn = createTestSession([wrong], { output: numbers() });
  expect(outcomes(await runAll(stubborn.session, 'go'))).toMatchObject([
    { type: 'error', error: { code: 'invalid_output' } },
  ]);
  expect(stubborn.model.requests).toHaveLength(4);
});

test('text without the output reminds the model and is never a success', async () => {
  const reminded = createTestSession([saying('It is 3.'), giving({ n: 3 })], { output: numbers() });
  expect(outcomes(await runAll(reminded.session, 'go'))).toMatchObject([{ type: 'success', structured: { n: 3 } }]);
  expect(JSON.stringify(reminded.model.requests[1]?.messages)).toContain('structured_output');

  const silent = createTestSession([saying('It is 3.')], { output: numbers() });
  expect(outcomes(await runAll(silent.session, 'go'))).toMatchObject([
    { type: 'error', error: { code: 'invalid_output' } },
  ]);
});

test.each<[string, string, OutputSchema, unknown]>([
  ['JSON', ' {"n": 3}\n', numbers(), { n: 3 }],
  ['JSON in a code block', '```json\n{"n": 3}\n```', numbers(), { n: 3 }],
  ['JSON of a schema that is not an object', '3', numbers({ type: 'number' }), 3],
])('text that is only %s is the output', async (_name, text, output, structured) => {
  const { session, model } = createTestSession([saying(text), saying('never asked')], { output });
  const [outcome] = outcomes(await runAll(session, 'go'));
  expect(outcome).toEqual({ type: 'success', text: JSON.stringify(structured), structured });
  expect(model.requests).toHaveLength(1);
});

test('text that is JSON of another form is returned with its problems', async () => {
  const { session, model } = createTestSession([saying('{"n": "x"}'), giving({ n: 3 })], { output: numbers() });
  expect(outcomes(await runAll(session, 'go'))).toMatchObject([{ type: 'success', structured: { n: 3 } }]);
  expect(JSON.stringify(model.requests[1]?.messages)).toContain('n: is not a number');
});

test('each prompt needs its own output', async () => {
  const { session } = createTestSession([giving({ n: 1 }), saying('no')], { output: numbers() });
  expect(outcomes(await runAll(session, 'one', 'two')).map(({ type }) => type)).toEqual(['success', 'error']);
});

test('a schema that is not an object is wrapped for the model and unwrapped for the app', async () => {
  const output = numbers({ type: 'number', $defs: { a: {} } });
  const { session, model } = createTestSession([giving({ n: 5 }), giving({ value: 5 })], { output });
  expect(outcomes(await runAll(session, 'go'))).toEqual([{ type: 'success', text: '5', structured: 5 }]);
  expect(model.requests[0]?.tools[0]?.inputSchema).toEqual({
    type: 'object',
    properties: { value: { type: 'number' } },
    required: ['value'],
    $defs: { a: {} },
  });
});

test('the structured output does not count as a tool call', async () => {
  const { session } = createTestSession([giving({ n: 1 })], { output: numbers(), budget: { toolCalls: 0 } });
  expect(outcomes(await runAll(session, 'go'))).toMatchObject([{ type: 'success' }]);
});
