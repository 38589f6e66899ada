import { readdirSync, readFileSync } from 'node:fs';
import { CHAT_API, CHAT_EVENT_SCHEMAS, type ChatPath, chatErrorSchema } from '@qwen/protocol/server';
import { hasPrograms, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openServeFixture } from '../serve-fixture.ts';

// Every request, answer, event and curl call that the document shows.

const FOLDER = new URL('./fixtures/', import.meta.url);
const names = readdirSync(FOLDER);
const textOf = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8');
const like = (pattern: RegExp): string[] => names.filter((name) => pattern.test(name));

/** The route of a file, by its name: `session-create` is `/api/session`. */
function routeOf(name: string): ChatPath {
  const [, topic = ''] = /^004-(?:input|output)-(.*?)(?:-404|-partial|-error|-all|-single)?\.json$/.exec(name) ?? [];
  const [group = '', ...verb] = topic.split('-');
  const path = topic === 'session-create' ? '/api/session' : `/api/${group}/${verb.join('-')}`;
  const known = Object.keys(CHAT_API).find((one): one is ChatPath => one === path);
  if (known === undefined) throw new Error(`${name} is about no route: ${path}`);
  return known;
}

test.each(like(/^004-input-/))('%s is a request', (name) => {
  verifies(
    'Q-20',
    'Q-24',
    'Q-32',
    'Q-36',
    'Q-50',
    'Q-65',
    'Q-69',
    'Q-73',
    'Q-78',
    'Q-80',
    'Q-83',
    'Q-95',
    'Q-99',
    'GAP-101',
  );
  const body: unknown = JSON.parse(textOf(name));
  expect(CHAT_API[routeOf(name)].request.parse(body)).toEqual(body);
});

test.each(like(/^004-output-(?!health|ready|sse|error|.*-404|.*-execute-error)/))('%s is an answer', (name) => {
  verifies(
    'Q-21',
    'Q-25',
    'Q-33',
    'Q-39',
    'Q-40',
    'Q-47',
    'Q-49',
    'Q-66',
    'Q-70',
    'Q-74',
    'Q-79',
    'Q-81',
    'Q-84',
    'Q-93',
    'GAP-101',
  );
  const body: unknown = JSON.parse(textOf(name));
  expect(CHAT_API[routeOf(name)].response.parse(body)).toEqual(body);
});

test.each(like(/^004-output-sse-/))('%s is an event', (name) => {
  verifies('Q-56', 'Q-90', 'Q-91');
  const event = Object(JSON.parse(textOf(name)));
  const schema = Object.entries(CHAT_EVENT_SCHEMAS).find(([type]) => type === event.type)?.[1];
  expect(schema?.parse(event)).toEqual(event);
});

test("the specification's general failure is one of our error bodies", () => {
  verifies('Q-08');
  expect(chatErrorSchema.safeParse(JSON.parse(textOf('004-output-error-general.json'))).success).toBe(true);
});

/** In an order in which each finds what it needs. */
const CURLS = [
  '004-curl-session-get.sh',
  '004-curl-session-add-directory-single.sh',
  '004-curl-session-add-directory-multiple.sh',
  '004-curl-session-list-directories.sh',
  '004-curl-sessions-list.sh',
  '004-curl-chat-stream-existing-session.sh',
  '004-curl-chat-at-single.sh',
  '004-curl-chat-at-multiple.sh',
  '004-curl-chat-at-glob.sh',
  '004-curl-chat-history.sh',
  '004-curl-files-read.sh',
  '004-curl-files-write.sh',
  '004-curl-files-search.sh',
  '004-curl-files-list.sh',
  '004-curl-commands-list.sh',
  '004-curl-commands-execute.sh',
  '004-curl-commands-execute-slash-prefix.sh',
  '004-curl-session-update-workspace.sh',
  '004-curl-session-delete.sh',
];
/** They create sessions, or name an unknown request. */
const CURLS_ALONE = ['004-curl-chat-cancel.sh', '004-curl-chat-stream-new-session.sh', '004-curl-session-create.sh'];

test.runIf(hasPrograms('curl'))('every curl call of the document goes well', async () => {
  verifies('Q-02', 'Q-04', 'Q-09', 'Q-23', 'Q-46', 'Q-52', 'Q-53', 'Q-68', 'Q-75', 'Q-87', 'Q-96', 'GAP-101');
  expect([...CURLS, ...CURLS_ALONE].toSorted()).toEqual(like(/^004-curl-/));
  await using fixture = await openServeFixture({ replies: [says('Yes.')] });
  const { workspace } = fixture;
  for (const path of ['README.md', 'package.json', 'src/index.ts', 'src/app.ts'])
    await workspace.write(path, '// TODO: x\n');
  await workspace.write('.qwen/commands/mycommand.toml', textOf('004-custom-command-mycommand.toml'));
  const made = Object(await (await fixture.post('/api/session', {})).json());
  // Placeholders of the document: the session, and folders that have to be there.
  const filled = (name: string) =>
    textOf(name)
      .replaceAll(/"sessionId": "(?:xxx|your-session-id|[\da-f-]{36})"/g, `"sessionId": "${made.sessionId}"`)
      .replaceAll(/\/tmp\/[\w-]+/g, workspace.path)
      .replaceAll('~/projects/dir2', workspace.resolve('src'))
      .replaceAll('./local-dir', 'src');
  for (const name of [...CURLS, ...CURLS_ALONE]) {
    const { stdout, code } = await fixture.runScript(filled(name));
    expect({ name, code }).toEqual({ name, code: 0 });
    if (name.includes('cancel')) expect(stdout).toContain('"error":"Request not found"');
    else expect({ name, stdout }).toEqual({ name, stdout: expect.not.stringContaining('"error"') });
    if (name.includes('-chat-stream') || name.includes('-chat-at-')) expect(stdout).toContain('"type":"stream_end"');
  }
  expect(await workspace.read('output.txt')).toBe('Hello, World!');
});
