import { readFile, writeFile } from 'node:fs/promises';
import { type ClientApp, RequestError } from '@agentclientprotocol/sdk';
import { calls, lastText, says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openAcpFixture } from './acp-fixture.js';

const BOTH = { fs: { readTextFile: true, writeTextFile: true } };
const reads = calls({ name: 'read_file', input: { file_path: 'a.txt' } });
const edit = (old_string: string, new_string: string) =>
  calls({ name: 'edit', input: { file_path: 'a.txt', old_string, new_string } });

/** An editor with text that is not saved; a write replaces it and saves. */
function serving(buffers: Map<string, string>) {
  const asked: string[] = [];
  const serve = (app: ClientApp): ClientApp =>
    app
      .onRequest('fs/read_text_file', async ({ params: { path } }) => {
        asked.push(path);
        return { content: buffers.get(path) ?? (await readFile(path, 'utf8')) };
      })
      .onRequest('fs/write_text_file', async ({ params: { path, content } }) => {
        buffers.set(path, content);
        await writeFile(path, content);
        return {};
      });
  return { asked, serve };
}

test('the model reads and edits the text that the user did not save', async () => {
  await using fixture = await openAcpFixture([reads, edit('typed', 'changed'), says('done')]);
  await fixture.workspace.write('a.txt', 'saved\r\nlines\r\n');
  const path = fixture.workspace.resolve('a.txt');
  const buffers = new Map([[path, 'typed\nlines\n']]);
  const { asked, serve } = serving(buffers);
  const editor = await fixture.open({ capabilities: BOTH, serve, asked: () => 'yes' });
  const sessionId = await editor.newSession(fixture.workspace.path);
  await editor.prompt(sessionId, 'change it');
  const read = fixture.model.requests[1];
  expect(read && lastText(read)).toMatch(/1\ttyped[\s\S]*not saved/);
  expect(editor.questions[0]?.toolCall.content).toMatchObject([
    { type: 'diff', path, oldText: 'typed\r\nlines\r\n', newText: 'changed\r\nlines\r\n' },
  ]);
  expect(await fixture.workspace.read('a.txt')).toBe('changed\r\nlines\r\n');
  expect(new Set(asked)).toEqual(new Set([path]));
});

test('text typed while the user decides makes the edit stale', async () => {
  await using fixture = await openAcpFixture([reads, edit('saved', 'changed'), says('sorry')]);
  await fixture.workspace.write('a.txt', 'saved\n');
  const path = fixture.workspace.resolve('a.txt');
  const buffers = new Map<string, string>();
  const { serve } = serving(buffers);
  const asked = () => {
    buffers.set(path, 'saved\nand typed\n');
    return 'yes';
  };
  const editor = await fixture.open({ capabilities: BOTH, serve, asked });
  const sessionId = await editor.newSession(fixture.workspace.path);
  await editor.prompt(sessionId, 'change it');
  const last = fixture.model.requests[2];
  expect(last && lastText(last)).toContain('changed since it was last read');
  expect(await fixture.workspace.read('a.txt')).toBe('saved\n');
});

test('an editor that reads only keeps its unsaved text', async () => {
  await using fixture = await openAcpFixture([edit('typed', 'changed'), says('sorry')]);
  await fixture.workspace.write('a.txt', 'saved');
  const { serve } = serving(new Map([[fixture.workspace.resolve('a.txt'), 'typed']]));
  const editor = await fixture.open({ args: ['--acp', '--yolo'], capabilities: { fs: { readTextFile: true } }, serve });
  const sessionId = await editor.newSession(fixture.workspace.path);
  await editor.prompt(sessionId, 'change it');
  const last = fixture.model.requests[1];
  expect(last && lastText(last)).toContain('unsaved changes in the editor');
  expect(await fixture.workspace.read('a.txt')).toBe('saved');
});

test.each([
  ['answers with an error', () => Promise.reject(new RequestError(-32603, 'no such buffer'))],
  ['answers with something else', () => Promise.resolve({ content: 42 } as never)],
  ['never answers', () => new Promise<never>(() => undefined)],
])('an editor that %s: the file on the disk counts', async (_name, answer) => {
  await using fixture = await openAcpFixture([reads, edit('saved', 'changed'), says('done')]);
  await fixture.workspace.write('a.txt', 'saved');
  const serve = (app: ClientApp) => app.onRequest('fs/read_text_file', answer);
  const editor = await fixture.open({ args: ['--acp', '--yolo'], capabilities: BOTH, serve });
  const sessionId = await editor.newSession(fixture.workspace.path);
  expect(await editor.prompt(sessionId, 'change it')).toEqual({ stopReason: 'end_turn' });
  expect(await fixture.workspace.read('a.txt')).toBe('changed');
});

test('an editor without files is not asked', async () => {
  await using fixture = await openAcpFixture([reads, says('done')]);
  await fixture.workspace.write('a.txt', 'saved');
  const { asked, serve } = serving(new Map([[fixture.workspace.resolve('a.txt'), 'typed']]));
  const editor = await fixture.open({ serve });
  const sessionId = await editor.newSession(fixture.workspace.path);
  await editor.prompt(sessionId, 'read it');
  expect(asked).toEqual([]);
});
