import { readFileSync } from 'node:fs';
import { says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openServeFixture } from '../serve-fixture.ts';

// Every request and answer that the document shows.

const TOKEN = 'pat_of-the-answers-of-the-document';
const input = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`./fixtures/002-${name}.json`, import.meta.url), 'utf8'));

/** Matches what has these members, with values of the same kinds; the document's ids end in dots. */
function shapeOf(value: unknown): unknown {
  if (typeof value === 'string')
    return value.endsWith('...') ? expect.stringContaining(value.slice(0, -3)) : expect.any(String);
  if (typeof value === 'number') return expect.any(Number);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return expect.objectContaining(Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shapeOf(one)])));
}

test('sessions and events have the members that the document shows', async () => {
  verifies('R-01', 'R-17', 'R-30', 'R-35', 'R-36', 'R-37', 'R-52');
  await using fixture = await openServeFixture({ replies: [says('Hello there')], flags: ['--token', TOKEN] });
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const ask = async (path: string, body?: unknown): Promise<Readonly<Record<string, unknown>>> => {
    const method = body === undefined ? 'GET' : 'POST';
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${fixture.url}/api/v1/cloud${path}`, { method, headers, ...sent });
    return Object(await answer.json());
  };
  expect(await ask('/sessions', input('output-session-flag-off'))).toMatchObject({
    incremental_streaming_enabled: false,
  });
  const session = await ask('/sessions', input('input-session-flag-on'));
  expect(session).toEqual(shapeOf(input('output-create-session-response')));
  const path = `/sessions/${String(session['id'])}/events`;
  const stream = await fetch(`${fixture.url}/api/v1/cloud${path}/stream`, { headers });
  await ask(path, { events: [{ type: 'user.message', content: 'hi' }] });
  await readUntil(stream, 'event: session.status_idle');
  const { data } = await ask(`${path}?limit=200`);
  for (const name of ['agent-message-start', 'agent-content-block-delta-text', 'agent-message-delta']) {
    expect(data).toContainEqual(shapeOf(input(`output-${name}`)));
  }
});

async function readUntil(response: Response, end: string): Promise<void> {
  if (response.body === null) throw new Error('no stream');
  let text = '';
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    text += piece;
    if (text.includes(end)) return;
  }
}
