import { readFile, stat } from 'node:fs/promises';
import { createFileStore } from '@qwen/agent/node';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { toAge } from './sessions/list.js';
import { runSessions } from './sessions.js';

const [ONE, TWO, OTHER] = [
  '0f9d2c52-3c0a-4f1e-9d59-0d8a3c9a1b11',
  '0f9d2c52-aaaa-4f1e-9d59-0d8a3c9a1b11',
  '77777777-3c0a-4f1e-9d59-0d8a3c9a1b11',
];

/** Three sessions; the last one has a title and words. */
async function fixture() {
  const folder = await temporaryFolder();
  const store = createFileStore({ directory: folder.resolve('home/sessions') });
  for (const sessionId of [ONE, TWO, OTHER]) {
    const { log } = await store.create({ sessionId, cwd: folder.path, createdAt: new Date().toISOString() });
    const at = new Date().toISOString();
    await log.append({ type: 'user', uuid: `u-${sessionId}`, at, content: 'How many *files*?' });
    await log.append({
      type: 'assistant',
      uuid: `a-${sessionId}`,
      at,
      model: 'm-1',
      content: [{ type: 'text', text: 'Two.' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 1, output_tokens: 1 },
    });
    await log.close();
  }
  await store.rename(OTHER, 'Counting');
  const questions: string[] = [];
  const run = async (words: readonly string[], answer?: boolean) => {
    const printed: string[] = [];
    const exitCode = await runSessions({
      words,
      environment: { QWEN_HOME: folder.resolve('home') },
      cwd: folder.path,
      print: async (text) => void printed.push(text),
      printError: () => undefined,
      ask: async (question) => {
        questions.push(question);
        return answer;
      },
    });
    return { exitCode, text: printed.join('') };
  };
  const ids = async () => (await store.list({})).sessions.map(({ sessionId }) => sessionId).toSorted();
  return { folder, run, ids, questions, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

test('a session is selected by the start of its ID or by its title', async () => {
  verifies('FB17');
  await using at = await fixture();
  for (const word of [OTHER, '7', 'Counting']) {
    expect((await at.run(['show', word])).text).toContain('assistant: Two.');
  }
  await expect(at.run(['show', '0f9d2c52'])).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringMatching(new RegExp(`matches 2 sessions: .*${ONE}`)),
  });
  await expect(at.run(['show', 'Countin'])).rejects.toMatchObject({
    code: 'session_not_found',
    message: expect.stringContaining('did you mean "Counting"?'),
  });
  await expect(at.run(['show', ''])).rejects.toMatchObject({ code: 'usage' });
});

test('deleting asks for confirmation, and is refused without a terminal', async () => {
  await using at = await fixture();
  expect(await at.run(['delete', 'Counting'], false)).toEqual({ exitCode: 1, text: '' });
  expect(at.questions).toEqual([`Delete ${OTHER} "Counting" permanently?`]);
  await expect(at.run(['delete', 'Counting'])).rejects.toMatchObject({ message: expect.stringContaining('--yes') });
  // One that is not there stops all of them.
  await expect(at.run(['delete', OTHER, 'nothing', '--yes'])).rejects.toMatchObject({ code: 'session_not_found' });
  expect(await at.ids()).toHaveLength(3);
  expect(await at.run(['delete', 'Counting'], true)).toEqual({ exitCode: 0, text: `Deleted ${OTHER}\n` });
  expect(JSON.parse((await at.run(['delete', ONE, '-y', '--json'])).text)).toEqual({
    deleted: true,
    session_ids: [ONE],
  });
  expect(await at.ids()).toEqual([TWO]);
});

test('a conversation is written in the format of the file name, and never over an existing file', async () => {
  verifies('FB17');
  await using at = await fixture();
  const { text } = await at.run(['export', 'Counting']);
  expect(text).toMatch(
    /^# Conversation 7777.*\n\nModel: m-1\n\n## User\n\nHow many \*files\*\?\n\n## Assistant\n\nTwo\.\n$/,
  );
  const path = at.folder.resolve('talk.json');
  expect(await at.run(['export', 'Counting', 'talk.json'])).toEqual({ exitCode: 0, text: `Wrote ${path}\n` });
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ session_id: OTHER, model: 'm-1' });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await expect(at.run(['export', 'Counting', 'talk.json'])).rejects.toMatchObject({ code: 'usage' });
  expect((await at.run(['export', 'Counting', '-f', 'jsonl'])).text.trim().split('\n')).toHaveLength(2);
  await expect(at.run(['export', 'Counting', '-f', 'pdf'])).rejects.toThrow('is not one of md, json, jsonl, html');
});

test('the list prints age, messages, title and folder', async () => {
  await using at = await fixture();
  const { text } = await at.run(['list', '--all']);
  expect(text).toMatch(new RegExp(`^${OTHER} {2}now {7}2 messages {4}Counting {2}${at.folder.path}$`, 'm'));
  expect(text).toMatch(new RegExp(`^${ONE} {2}now {7}2 messages {4}How many \\*files\\*\\? `, 'm'));
});

test.each([
  [-5, 'now'],
  [59_999, 'now'],
  [60_000, '1 min'],
  [3_600_000, '1 h'],
  [47 * 3_600_000, '47 h'],
  [48 * 3_600_000, '2 days'],
])('%d ms ago is %s', (elapsed, words) => {
  expect(toAge(elapsed)).toBe(words);
});
