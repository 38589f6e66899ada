import type { FileHandle } from 'node:fs/promises';
import type { SessionRecord } from '@qwen/protocol';
import { readLines } from './read-lines.js';
import { readLine, refuseNewer } from './read-records.js';
import { parseObject } from './recover-objects.js';

/**
 * The records of a session file, read as they are asked for, so that a copy of a long one costs no memory (F95). What
 * cannot be read is left out. Throws `session_newer_version`, and system errors as they come.
 */
export async function* copiedRecords(handle: FileHandle): AsyncGenerator<SessionRecord> {
  for await (const { bytes, isWhole } of readLines(handle)) {
    const text = bytes.toString();
    // A line that is being written, or that was when its writer died.
    if (!isWhole && parseObject(text) === undefined) return;
    if (text.trim() === '') continue;
    for (const record of readLine(text).records) {
      if (record.type === 'session') refuseNewer(record.version);
      yield record;
    }
  }
}
