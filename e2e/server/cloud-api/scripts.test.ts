import { readFileSync } from 'node:fs';
import { readFile, watch } from 'node:fs/promises';
import { hasPrograms, says, temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openServeFixture, type ServeFixture } from '../serve-fixture.ts';

// The curl and jq loops of the document, unchanged except for their environment.

const scriptOf = (name: string): string =>
  readFileSync(new URL(`./fixtures/002-command-${name}.sh`, import.meta.url), 'utf8');
const TEXT = 'One short sentence in several pieces.';
const TOKEN = 'pat_of-the-scripts-of-the-document';

function openFixture(): Promise<ServeFixture> {
  return openServeFixture({ replies: [says(TEXT)], flags: ['--token', TOKEN] });
}

const environmentOf = ({ url }: ServeFixture) => ({
  BASE_URL: `${url}/api/v1/cloud`,
  QODER_PAT: TOKEN,
  AGENT_ID: 'agent_local',
  AGENT_VERSION: '1',
  ENVIRONMENT_ID: 'env_local',
});

/** Runs a script that follows a stream; `listening` resolves once the server has answered. */
async function follow(fixture: ServeFixture, script: string, variables: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder();
  const heads = folder.resolve('heads');
  await folder.write('.curlrc', `dump-header = "${heads}"\n`);
  await folder.write('heads', '');
  const changes = watch(folder.path);
  const run = fixture.runScript(script, { ...variables, CURL_HOME: folder.path });
  for await (const _ of changes) if ((await readFile(heads, 'utf8')).includes('\r\n\r\n')) break;
  return { run, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

/** What the loops of the document print: a line with the event, and a line with some of its members. */
const eventsOf = (output: string): string[] =>
  output.split('\n').flatMap((line) => (line.startsWith('event: ') ? [line.slice(7)] : []));

test.runIf(hasPrograms('curl', 'jq'))(
  'the walk through the document: create, follow, send, replay, threads',
  { timeout: 60_000 },
  async () => {
    verifies('R-03', 'R-04', 'R-05', 'R-06', 'R-07', 'R-08', 'R-09', 'R-11', 'R-12', 'R-13', 'R-14', 'R-15', 'R-16');
    verifies('R-17', 'R-18', 'R-19', 'R-20', 'R-39', 'R-41', 'R-45', 'R-46', 'R-48', 'R-49', 'CF-61');
    await using fixture = await openFixture();
    const environment = environmentOf(fixture);
    const created = await fixture.runScript(`${scriptOf('create-session')}\necho "$SESSION_ID" >&2`, environment);
    expect(created.code).toBe(0);
    const SESSION_ID = created.stderr.trim();
    expect(JSON.parse(created.stdout)).toEqual({ id: SESSION_ID, incremental_streaming_enabled: true, status: 'idle' });
    expect(SESSION_ID).toMatch(/^sess_/);
    const variables = { ...environment, SESSION_ID };

    const threads = await fixture.runScript(`${scriptOf('thread-replay')}\necho "$THREAD_ID"`, variables);
    const THREAD_ID = threads.stdout.trim();
    await using session = await follow(fixture, scriptOf('session-stream'), variables);
    await using thread = await follow(fixture, scriptOf('thread-stream'), { ...variables, THREAD_ID });
    const sent = await fixture.runScript(scriptOf('send-user-message'), variables);
    expect(JSON.parse(sent.stdout)).toMatchObject({ data: [{ type: 'user.message', session_id: SESSION_ID }] });

    const shows = (script: string) => fixture.runScript(script, { ...variables, THREAD_ID });
    await untilIdle(fixture, SESSION_ID);
    const kept = ['agent.message_start', 'agent.content_block_delta', 'agent.message_stop'];
    for (const script of ['history-replay', 'thread-replay']) {
      expect(new Set((await shows(scriptOf(script))).stdout.trim().split('\n'))).toEqual(new Set(kept));
    }

    // The streams stay open for further turns; the end of the session ends them.
    await fetch(`${environment.BASE_URL}/sessions/${SESSION_ID}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    const output = (await session.run).stdout;
    const documented = readFileSync(
      new URL('./fixtures/002-output-expected-sse-sequence.txt', import.meta.url),
      'utf8',
    );
    const shown = eventsOf(output).filter((event) => eventsOf(documented).includes(event));
    expect(shown.filter((event, index) => event !== shown[index - 1])).toEqual(eventsOf(documented));
    const lines = output.split('\n').flatMap((line) => (line.startsWith('{') ? [Object(JSON.parse(line))] : []));
    expect(lines.map(({ type }) => type)).toEqual(eventsOf(output));
    const deltas = lines.filter(({ delta_type: kind }) => kind === 'text_delta');
    expect(deltas.map(({ text }) => text).join('')).toBe(TEXT);
    expect(new Set(deltas.map(({ index }) => index))).toEqual(new Set([0]));
    expect((await thread.run).stdout).toBe(output);
  },
);

test.runIf(hasPrograms('curl', 'jq'))(
  'the control case: with the switch off the same loops show none of the six types',
  {
    timeout: 60_000,
  },
  async () => {
    verifies('R-10', 'R-52', 'R-53', 'R-54');
    await using fixture = await openFixture();
    const environment = environmentOf(fixture);
    const flags = [readFileSync(new URL('./fixtures/002-output-session-flag-off.json', import.meta.url), 'utf8'), '{}'];
    for (const body of flags) {
      const created = await fetch(`${environment.BASE_URL}/sessions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        body,
      });
      const { id: SESSION_ID, incremental_streaming_enabled: flag } = Object(await created.json());
      expect(flag).toBe(false);
      const variables = { ...environment, SESSION_ID };
      await fixture.runScript(scriptOf('send-user-message'), variables);
      await untilIdle(fixture, SESSION_ID);
      expect((await fixture.runScript(scriptOf('history-replay'), variables)).stdout).toBe('');
      expect(await typesOf(fixture, SESSION_ID)).toEqual(
        expect.arrayContaining(['agent.message', 'session.status_idle']),
      );
    }
  },
);

async function typesOf(fixture: ServeFixture, sessionId: string): Promise<readonly string[]> {
  const answer = await fetch(`${fixture.url}/api/v1/cloud/sessions/${sessionId}/events?limit=1000`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  return Object(await answer.json()).data.map(({ type }: { readonly type: string }) => type);
}

/** Follows the session from its beginning until it is idle. */
async function untilIdle(fixture: ServeFixture, sessionId: string): Promise<void> {
  const stream = await fetch(`${fixture.url}/api/v1/cloud/sessions/${sessionId}/events/stream`, {
    headers: { authorization: `Bearer ${TOKEN}`, 'last-event-id': '0' },
  });
  if (stream.body === null) throw new Error('no stream');
  let text = '';
  for await (const piece of stream.body.pipeThrough(new TextDecoderStream())) {
    text += piece;
    if (text.includes('event: session.status_idle\n')) return;
  }
  throw new Error(`the stream ended: ${text}`);
}
