import { createReadStream } from 'node:fs';
import {
  AgentError,
  LineDecoder,
  messageOf,
  parseJson,
  RECORDING_VERSION,
  type RecordingEntry,
  recordingEntrySchema,
  recordingHeadSchema,
} from '@qwen/protocol';

/** Streams the entries. Throws `usage` for an invalid file; skips a truncated last line. */
export async function* readRecording(path: string): AsyncGenerator<RecordingEntry, void, undefined> {
  let isBegun = false;
  for await (const { text, isLast } of readLines(path)) {
    const value = parseJson(text);
    if (!isBegun) {
      const head = recordingHeadSchema.safeParse(value);
      if (!head.success) throw new AgentError('usage', `--replay: ${path} is not a recording`);
      if (head.data.recording > RECORDING_VERSION)
        throw new AgentError('usage', `--replay: ${path} was recorded by a newer version of qwen`);
      isBegun = true;
      continue;
    }
    const entry = recordingEntrySchema.safeParse(value);
    if (entry.success) yield entry.data;
    else if (!isLast) throw new AgentError('usage', `--replay: ${path} contains an invalid line: ${text.slice(0, 80)}`);
  }
  if (!isBegun) throw new AgentError('usage', `--replay: ${path} is not a recording`);
}

async function* readLines(path: string): AsyncGenerator<{ readonly text: string; readonly isLast: boolean }> {
  // Entries are longer than lines, because they hold them as JSON strings.
  const decoder = new LineDecoder({ maxLineBytes: 256 * 1024 * 1024 });
  const stream = createReadStream(path);
  try {
    for await (const chunk of stream) {
      for (const line of decoder.push(chunk)) if (line.ok) yield { text: line.text, isLast: false };
    }
  } catch (thrown) {
    throw new AgentError('usage', `--replay: could not read ${path}: ${messageOf(thrown)}`, { cause: thrown });
  }
  for (const line of decoder.end()) if (line.ok) yield { text: line.text, isLast: true };
}
