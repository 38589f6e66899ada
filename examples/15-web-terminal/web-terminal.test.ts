import { request } from 'node:http';
import { createTerminalReplay } from '@qwen/sdk/terminal';
import { says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openWebTerminal } from './fixture.ts';

/** The status of a request with any Host and Origin, which `fetch` does not allow to set. */
function ask(url: string, headers: Readonly<Record<string, string>>, method = 'GET'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers }, (response) => {
      response.resume().on('error', () => {});
      resolve(response.statusCode);
      if (response.headers['content-type'] === 'text/event-stream') response.destroy();
    })
      .on('error', reject)
      .end(method === 'POST' ? '{"type":"heartbeat_request"}' : undefined);
  });
}

test('only clients with the token on this machine get access', async () => {
  await using fixture = await openWebTerminal([says('hi')]);
  const { origin, host } = new URL(fixture.url);
  expect(await ask(fixture.url, {})).toBe(200);
  expect(await ask(`${origin}/`, {})).toBe(404);
  expect(await ask(`${origin}/guess/lines`, {})).toBe(404);
  expect(await ask(fixture.url, { host: 'elsewhere.example' })).toBe(403);
  expect(await ask(`${fixture.url}lines`, { origin: 'http://elsewhere.example' }, 'POST')).toBe(403);
  expect(await ask(`${fixture.url}lines`, { host, origin }, 'POST')).toBe(204);
  expect(await ask(`${fixture.url}../../etc/passwd`, {})).toBe(404);
  expect(await ask(`${fixture.url}page-files.ts`, {})).toBe(404);
});

test('an invalid line is refused and does not reach the agent', async () => {
  await using fixture = await openWebTerminal([says('hi')]);
  for (const body of ['', 'no', '[1]', '"text"', 'null']) {
    expect((await fetch(`${fixture.url}lines`, { method: 'POST', body })).status).toBe(400);
  }
  const tooMuch = JSON.stringify({ input: 'x'.repeat(1024 * 1024) });
  const refused = await fetch(`${fixture.url}lines`, { method: 'POST', body: tooMuch }).catch(() => undefined);
  expect(refused?.status ?? 413).toBe(413);
});

test('the screen shows only lines of the agent', async () => {
  verifies('A-29');
  await using fixture = await openWebTerminal([says('First answer.'), says('Second answer.')]);
  const events = await openEvents(fixture.url, 0);
  let screen = '';
  const replay = createTerminalReplay({ write: (text) => (screen += text) });
  const show = (data: string) => replay.feed(data);

  const receipt = await events.until((data) => data.includes('"supported_protocol_versions"'), show);
  const session: unknown = JSON.parse(receipt).metadata.session_id;
  const prompt = (text: string) =>
    fetch(`${fixture.url}lines`, { method: 'POST', body: JSON.stringify({ session_id: session, input: text }) });
  await prompt('one');
  await events.until((data) => data.includes('"summary":{'), show);
  expect(screen).toContain('First answer.');
  expect(screen).not.toContain('one');
  await events.close();

  // A page that reconnects receives the missed lines once.
  await prompt('two');
  const again = await openEvents(fixture.url, events.lastId);
  await again.until((data) => data.includes('"summary":{'), show);
  expect(screen.match(/First answer\./g)).toHaveLength(1);
  expect(screen).toContain('Second answer.');
  await again.close();
});

async function openEvents(url: string, after: number) {
  const response = await fetch(`${url}lines`, { headers: { 'last-event-id': String(after) } });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) throw new Error('no stream');
  let rest = '';
  const waiting: string[] = [];
  const events = {
    lastId: after,
    /** Returns the data of the first matching event, and passes each event before it to `seen`. */
    async until(matches: (data: string) => boolean, seen: (data: string) => void): Promise<string> {
      for (;;) {
        for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) {
          const [, id = '', data = ''] = /^id: (\d+)\ndata: (.*)$/.exec(event) ?? [];
          if (id === '') continue;
          expect(Number(id)).toBe(events.lastId + 1);
          events.lastId = Number(id);
          seen(data);
          if (matches(data)) return data;
        }
        const { value, done } = await reader.read();
        if (done) throw new Error('the stream ended');
        const parts = (rest + value).split('\n\n');
        rest = parts.pop() ?? '';
        waiting.push(...parts);
      }
    },
    close: () => reader.cancel(),
  };
  return events;
}
