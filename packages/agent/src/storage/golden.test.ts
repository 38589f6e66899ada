import { copyFile, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { prompt } from '../../test/records.js';
import { foldRecords } from '../conversation/model-history.js';
import { SessionHistory } from '../session/session-history.js';
import { createFileStore } from './file-store.js';

const ID = '0f9d2c52-3c0a-4f1e-9d59-0d8a3c9a1b11';
const GOLDEN = fileURLToPath(new URL(`../../test/golden/${ID}.jsonl`, import.meta.url));
const PNG = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' };

/** A file of the first version, with each kind of record. It must never be changed: what it says here holds for ever. */
async function openGolden() {
  const folder = await temporaryFolder();
  const file = folder.resolve(`${ID}.jsonl`);
  await copyFile(GOLDEN, file);
  return { folder, file, store: createFileStore({ directory: folder.path }) };
}

test('a file of the first version always restores the same conversation', async () => {
  verifies('F99', 'F97');
  const { folder, store } = await openGolden();
  await using _folder = folder;
  const { records, notices, log } = await store.open(ID);
  await log.close();
  expect(notices).toEqual([]);
  expect(foldRecords(records)).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'The folder holds a.txt and b.png.' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'Two files.' }] },
    { role: 'user', content: [{ type: 'text', text: 'And this?' }, PNG] },
    {
      role: 'assistant',
      content: [
        { type: 'tool_call', id: 'call_3', name: 'read_file', input: { file_path: 'b.png' } },
        { type: 'tool_call', id: 'call_4', name: 'read_file', input: {} },
      ],
    },
    {
      role: 'tool',
      results: [
        { callId: 'call_3', name: 'read_file', content: [{ type: 'text', text: 'b.png' }, PNG], isError: false },
        {
          callId: 'call_4',
          name: 'read_file',
          content: [{ type: 'text', text: 'Interrupted: this call has no result. It may or may not have run.' }],
          isError: true,
        },
      ],
    },
  ]);
});

test('records before a compaction are still complete for readers and up to a message', async () => {
  verifies('F99');
  const { folder, store } = await openGolden();
  await using _folder = folder;
  const { messages } = await store.messages(ID, {});
  expect(messages.map(({ uuid }) => uuid)).toEqual([
    'u-1',
    'a-1',
    'r-1',
    's-1',
    's-2',
    'r-2',
    'a-2',
    'u-2',
    'a-3',
    'r-3',
  ]);
  const fork = await store.fork(
    ID,
    { sessionId: '7b0d34d6-5c1f-4a52-8b0f-6b1c1f6c0a23', cwd: '/x', createdAt: '' },
    {
      upToMessageId: 'a-1',
    },
  );
  await fork.log.close();
  const [question, answer, results] = foldRecords(fork.records);
  expect(question).toEqual({
    role: 'user',
    content: [{ type: 'text', text: 'What is in this folder? ☃\u2028Look twice.' }],
  });
  expect(answer?.role === 'assistant' && answer.content.map(({ type }) => type)).toEqual([
    'thinking',
    'text',
    'tool_call',
    'tool_call',
  ]);
  expect(results?.role === 'tool' && results.results.map(({ content }) => content)).toEqual([
    [{ type: 'text', text: 'a.txt\nb.png' }],
    [{ type: 'text', text: 'Two.' }],
  ]);
});

test('resuming appends to it and changes no byte of it', async () => {
  verifies('F99', 'F94');
  const { folder, file, store } = await openGolden();
  await using _folder = folder;
  expect(await store.summary(ID)).toMatchObject({
    title: 'Two files',
    firstPrompt: 'What is in this folder? ☃ Look twice.',
  });
  const { log } = await store.open(ID);
  await log.append(prompt('three'));
  await log.close();
  const [before, after] = [await readFile(GOLDEN), await readFile(file)];
  expect(after.subarray(0, before.length).equals(before)).toBe(true);
  expect(after.length).toBeGreaterThan(before.length);
});

test('reading record by record restores the same history without retaining more', async () => {
  verifies('F95');
  const { folder, store } = await openGolden();
  await using _folder = folder;
  const whole = await store.open(ID);
  await whole.log.close();
  const past = new SessionHistory();
  const { records, log } = await store.open(ID, past);
  await log.close();
  expect(records).toEqual([]);
  expect(past.history).toEqual(foldRecords(whole.records));
  expect(past.createdAt).toBe('2026-11-20T10:00:00.000Z');
  expect(past.ledger).toMatchObject({ turns: 1, tokens: 110, hasUnfinishedTurn: true });
});
