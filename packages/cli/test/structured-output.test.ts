import { calls, says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { answerTo, control, openCliFixture, prompt, RESULT } from './cli-fixture.js';

const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' }, people: { type: 'integer' } },
  required: ['city', 'people'],
};
const giving = (input: unknown) => calls({ name: 'structured_output', input });

test('the result contains the value and its JSON; an invalid value is returned to the model with the location', async () => {
  await using fixture = await openCliFixture([
    giving({ city: 'Ulm', people: 'many' }),
    giving({ city: 'Ulm', people: 128_000 }),
  ]);
  const agent = await fixture.startMachine();
  agent.send(control('1', { subtype: 'initialize', outputSchema: SCHEMA }));
  agent.send(prompt('Which city?'));
  agent.endInput();
  expect(await agent.next(answerTo('1'))).toMatchObject({ response: { subtype: 'success' } });
  expect(await agent.next(RESULT)).toMatchObject({
    subtype: 'success',
    is_error: false,
    structured_output: { city: 'Ulm', people: 128_000 },
    result: '{"city":"Ulm","people":128000}',
  });
  expect(JSON.stringify(fixture.model.requests[1]?.messages.at(-1))).toContain('/people must be integer');
  expect(
    fixture.model.requests[0]?.tools?.find(({ function: { name } }) => name === 'structured_output'),
  ).toMatchObject({
    function: { parameters: SCHEMA },
  });
});

test('a model that only writes text never succeeds', async () => {
  await using fixture = await openCliFixture([says('It is Ulm.')]);
  const agent = await fixture.startMachine(['--json-schema', JSON.stringify(SCHEMA)]);
  agent.send(prompt('Which city?'));
  agent.endInput();
  const result = await agent.next(RESULT);
  expect(result).toMatchObject({
    subtype: 'error_output_schema',
    is_error: true,
    terminal_reason: 'invalid_output',
    error: { code: 'invalid_output' },
  });
  expect(result).not.toHaveProperty('structured_output');
});

test('an invalid schema is refused with its location, and no prompt is answered without it', async () => {
  await using fixture = await openCliFixture([says('never')]);
  const agent = await fixture.startMachine();
  agent.send(control('1', { subtype: 'initialize', outputSchema: { properties: { a: { type: 'strin' } } } }));
  agent.send(prompt('hi'));
  agent.endInput();
  expect(await agent.next(answerTo('1'))).toMatchObject({
    response: {
      subtype: 'error',
      error: { code: 'invalid_payload', message: expect.stringContaining('/properties/a/type') },
    },
  });
  expect(await agent.next(RESULT)).toMatchObject({ is_error: true, error: { code: 'invalid_payload' } });
  expect(fixture.model.requests).toEqual([]);
});

test('print mode prints the JSON', async () => {
  await using fixture = await openCliFixture([giving({ city: 'Ulm', people: 1 })]);
  await fixture.workspace.write('schema.json', JSON.stringify(SCHEMA));
  const program = await fixture.start(['--json-schema', 'schema.json', 'Which city?']);
  program.endInput();
  expect(await program.exited).toMatchObject({ code: 0 });
  expect(program.lines.map(({ text }) => text)).toEqual(['{"city":"Ulm","people":1}']);
});

test.each(['{', '[]', 'gone.json'])('--json-schema %s is refused', async (value) => {
  await using fixture = await openCliFixture();
  const program = await fixture.start(['--json-schema', value, 'hi']);
  program.endInput();
  expect(await program.exited).toMatchObject({ code: 2 });
  expect(program.stderr).toContain('--json-schema');
});
