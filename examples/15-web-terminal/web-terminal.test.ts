import { request } from 'node:http';
import { createTerminalReplay } from '@qwen/sdk/terminal';
import { says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openWebStage } from './stage.ts';

/** Status of a request that says where it comes from in whatever words; `fetch` would not let us. */
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

test('only who knows the address gets in, and only from this machine', async () => {
  await using stage = await openWebStage([says('hi')]);
  const { origin, host } = new URL(stage.url);
  expect(await ask(stage.url, {})).toBe(200);
  expect(await ask(`${origin}/`, {})).toBe(404);
  expect(await ask(`${origin}/guess/lines`, {})).toBe(404);
  expect(await ask(stage.url, { host: 'elsewhere.example' })).toBe(403);
  expect(await ask(`${stage.url}lines`, { origin: 'http://elsewhere.example' }, 'POST')).toBe(403);
  expect(await ask(`${stage.url}lines`, { host, origin }, 'POST')).toBe(204);
  expect(await ask(`${stage.url}../../etc/passwd`, {})).toBe(404);
  expect(await ask(`${stage.url}page-files.ts`, {})).toBe(404);
});

test('what is no line is refused and reaches no agent', async () => {
  await using stage = await openWebStage([says('hi')]);
  for (const body of ['', 'no', '[1]', '"text"', 'null']) {
    expect((await fetch(`${stage.url}lines`, { method: 'POST', body })).status).toBe(400);
  }
  const tooMuch = JSON.stringify({ input: 'x'.repeat(1024 * 1024) });
  const refused = await fetch(`${stage.url}lines`, { method: 'POST', body: tooMuch }).catch(() => undefined);
  expect(refused?.status ?? 413).toBe(413);
});

test('the screen is made of lines alone, and the box stays outside of it', async () => {
  verifies('A-29');
  await using stage = await openWebStage([says('First answer.'), says('Second answer.')]);
  const events = await openEvents(stage.url, 0);
  let screen = '';
  const replay = createTerminalReplay({ write: (text) => (screen += text) });
  const show = (data: string) => replay.feed(data);

  const receipt = await events.until((data) => data.includes('"supported_protocol_versions"'), show);
  const session: unknown = JSON.parse(receipt).metadata.session_id;
  const prompt = (text: string) =>
    fetch(`${stage.url}lines`, { method: 'POST', body: JSON.stringify({ session_id: session, input: text }) });
  await prompt('one');
  await events.until((data) => data.includes('"summary":{'), show);
  expect(screen).toContain('First answer.');
  expect(screen).not.toContain('one');
  await events.close();

  // A page that was away hears what it missed, once.
  await prompt('two');
  const again = await openEvents(stage.url, events.lastId);
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
    /** The data of the first event that matches; each one on the way is seen. */
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
