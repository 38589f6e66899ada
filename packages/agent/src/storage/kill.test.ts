import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startLineProcess, temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { newSession, prompts } from '../../test/records.js';
import { createFileStore } from './file-store.js';

const APPEND_RECORDS = fileURLToPath(new URL('../../test/programs/append-records.js', import.meta.url));
/** Rounds of the kill test; 1,000 for a thorough run. */
const ROUNDS = Number(process.env['QWEN_TEST_KILL_ROUNDS'] ?? 8);

/** The numbers that the program printed as acknowledged. */
const acknowledged = (lines: readonly { readonly json: Record<string, unknown> | undefined }[]): number[] =>
  lines.flatMap(({ json }) => (typeof json?.['acknowledged'] === 'number' ? [json['acknowledged']] : []));

test(`nothing acknowledged is lost when the writer is killed, ${ROUNDS} times`, {
  timeout: 30_000 + ROUNDS * 1000,
}, async () => {
  verifies('F81', 'F87');
  await using folder = await temporaryFolder();
  const store = createFileStore({ directory: folder.path });
  const { sessionId } = newSession();
  let kept = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const args = [APPEND_RECORDS, folder.path, sessionId, round === 0 ? 'create' : 'open', String(kept)];
    await using writer = await startLineProcess({ command: process.execPath, args });
    const enough = kept + Math.floor(Math.random() * 60);
    await writer.next((line) => typeof line['acknowledged'] === 'number' && line['acknowledged'] >= enough);
    writer.kill();
    await writer.exited;

    const { log, records, notices } = await store.open(sessionId);
    await log.close();
    const found = records.filter(({ type }) => type === 'user').map((record) => ('uuid' in record ? record.uuid : ''));
    const last = acknowledged(writer.lines).at(-1) ?? -1;
    expect(found.length).toBeGreaterThan(last);
    expect(found).toEqual(found.map((_, index) => String(index)));
    expect(found.length - last).toBeLessThanOrEqual(2);
    expect(notices.every(({ code }) => code === 'tail_repaired')).toBe(true);
    kept = found.length;
  }
});

test.runIf(process.platform !== 'win32')(
  'a system limit on file size is storage_full, and everything before it stays',
  async () => {
    verifies('F83');
    await using folder = await temporaryFolder();
    const { sessionId } = newSession();
    const script = `ulimit -f 64; exec "$0" "$@"`;
    const args = ['-c', script, process.execPath, APPEND_RECORDS, folder.path, sessionId, 'create', '0'];
    await using writer = await startLineProcess({ command: 'bash', args });
    expect(await writer.next((line) => 'failed' in line)).toEqual({ failed: 'storage_full', systemCode: 'EFBIG' });
    expect((await writer.exited).code).toBe(0);
    const text = await readFile(folder.resolve(`${sessionId}.jsonl`), 'utf8');
    expect(text.endsWith('\n')).toBe(true);
    const { log, records } = await createFileStore({ directory: folder.path }).open(sessionId);
    await log.close();
    expect(prompts(records)).toHaveLength(acknowledged(writer.lines).length);
  },
);
