import { open, readFile } from 'node:fs/promises';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { prompt } from '../../test/records.js';
import { FileLog } from './file-log.js';
import { createSessionFile, type LogFile, openSessionFile, toLogFile } from './log-file.js';

/** A real file on a disk with limited space and limited writes, both in bytes. */
class SmallDisk implements LogFile {
  readonly path: string;
  capacity = Number.POSITIVE_INFINITY;
  pieceBytes = Number.POSITIVE_INFINITY;
  failure = 'ENOSPC';
  canCut = true;
  readonly #file: LogFile;

  constructor(file: LogFile) {
    this.path = file.path;
    this.#file = file;
  }

  async write(bytes: Uint8Array): Promise<number> {
    const room = Math.min(bytes.length, this.pieceBytes, this.capacity - this.size());
    if (room <= 0) throw Object.assign(new Error(`${this.failure}: no`), { code: this.failure });
    return this.#file.write(bytes.subarray(0, room));
  }

  truncate(length: number): Promise<void> {
    if (!this.canCut) return Promise.reject(Object.assign(new Error('EIO: no'), { code: 'EIO' }));
    return this.#file.truncate(length);
  }

  size(): number {
    return this.#file.size();
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

async function openLog(path: string, start: { length?: number; lacksLineFeed?: boolean } = {}) {
  const handle = start.length === undefined ? createSessionFile(path) : await openSessionFile(path, 'append');
  const disk = new SmallDisk(toLogFile(path, handle));
  let closed = 0;
  const onClose = () => {
    closed += 1;
    return Promise.resolve();
  };
  const log = new FileLog({ file: disk, length: 0, lacksLineFeed: false, ...start, onClose });
  return { disk, log, closedTimes: () => closed };
}

const contents = async (path: string): Promise<string[]> =>
  (await readFile(path, 'utf8')).split(/(?<=\n)/).map((line) => (JSON.parse(line) as { content: string }).content);

test('records are in the order of the calls, one line each', async () => {
  await using folder = await temporaryFolder();
  const path = folder.resolve('s.jsonl');
  const { log, closedTimes } = await openLog(path);
  const names = Array.from({ length: 50 }, (_, index) => String(index));
  await Promise.all(names.map((name) => log.append(prompt(name))));
  await Promise.all([log.close(), log.close()]);
  expect(await contents(path)).toEqual(names);
  expect(closedTimes()).toBe(1);
  await expect(log.append(prompt('late'))).rejects.toMatchObject({ code: 'storage_unwritable' });
});

test('a partial write is completed', async () => {
  verifies('F84');
  await using folder = await temporaryFolder();
  const path = folder.resolve('s.jsonl');
  const { disk, log } = await openLog(path);
  disk.pieceBytes = 7;
  await log.append(prompt('a long enough record'));
  await log.close();
  expect(await contents(path)).toEqual(['a long enough record']);
});

test('on a full disk: a typed error, no partial line, and writing continues when there is space', async () => {
  verifies('F83');
  await using folder = await temporaryFolder();
  const path = folder.resolve('s.jsonl');
  const { disk, log } = await openLog(path);
  await log.append(prompt('first'));
  const good = disk.size();
  disk.capacity = good + 20;
  await expect(log.append(prompt('second'))).rejects.toMatchObject({
    code: 'storage_full',
    data: { systemCode: 'ENOSPC' },
  });
  expect(disk.size()).toBe(good);
  await expect(log.append(prompt('third'))).rejects.toMatchObject({ code: 'storage_full' });
  disk.capacity = Number.POSITIVE_INFINITY;
  await log.append(prompt('fourth'));
  await log.close();
  expect(await contents(path)).toEqual(['first', 'fourth']);
});

test('a partial line that could not be removed immediately is removed before the next record', async () => {
  verifies('F83');
  await using folder = await temporaryFolder();
  const path = folder.resolve('s.jsonl');
  const { disk, log } = await openLog(path);
  await log.append(prompt('first'));
  disk.capacity = disk.size() + 20;
  disk.canCut = false;
  await expect(log.append(prompt('second'))).rejects.toMatchObject({ code: 'storage_full' });
  disk.capacity = Number.POSITIVE_INFINITY;
  await expect(log.append(prompt('third'))).rejects.toMatchObject({ code: 'storage_unwritable' });
  disk.canCut = true;
  await log.append(prompt('fourth'));
  await log.close();
  expect(await contents(path)).toEqual(['first', 'fourth']);
});

test('other disk failures are storage_unwritable', async () => {
  verifies('F84');
  await using folder = await temporaryFolder();
  const { disk, log } = await openLog(folder.resolve('s.jsonl'));
  disk.capacity = 0;
  disk.failure = 'EIO';
  await expect(log.append(prompt('x'))).rejects.toMatchObject({ code: 'storage_unwritable' });
  await log.close();
});

test('a missing last line feed is added before the next record', async () => {
  verifies('F89');
  await using folder = await temporaryFolder();
  const line = JSON.stringify(prompt('first'));
  const path = await folder.write('s.jsonl', line);
  const { disk, log } = await openLog(path, { length: Buffer.byteLength(line), lacksLineFeed: true });
  disk.capacity = disk.size() + 1;
  await expect(log.append(prompt('lost'))).rejects.toMatchObject({ code: 'storage_full' });
  disk.capacity = Number.POSITIVE_INFINITY;
  await log.append(prompt('second'));
  await log.append(prompt('third'));
  await log.close();
  expect(await contents(path)).toEqual(['first', 'second', 'third']);
});

test('a file that another program changed or deleted is not written again', async () => {
  verifies('F98');
  await using folder = await temporaryFolder();
  const path = folder.resolve('s.jsonl');
  const { log } = await openLog(path);
  await log.append(prompt('mine'));
  await using other = await open(path, 'a');
  await other.write('theirs\n');
  await expect(log.append(prompt('x'))).rejects.toMatchObject({ code: 'session_busy' });
  await log.close();
  expect((await readFile(path, 'utf8')).split('\n')[1]).toBe('theirs');

  await using gone = await temporaryFolder();
  const second = await openLog(gone.resolve('s.jsonl'));
  await gone[Symbol.asyncDispose]();
  await expect(second.log.append(prompt('x'))).rejects.toMatchObject({ code: 'storage_unwritable' });
  await second.log.close();
});
