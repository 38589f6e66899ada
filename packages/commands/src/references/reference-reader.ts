import { AgentError, type ErrorCode } from '@qwen/protocol';
import type { ReferenceReader } from '../host/system-access.js';
import type { ReferenceWarning } from './expanded-prompt.js';
import { FileCollector } from './file-collector.js';
import { findMeaning } from './find-meaning.js';
import type { ReferenceSource } from './reference-source.js';

/** Warnings that mean that nothing could be read. */
const FAILURES: Partial<Record<ReferenceWarning['code'], ErrorCode>> = {
  missing: 'invalid_payload',
  empty: 'invalid_payload',
  outside: 'permission_denied',
  hidden: 'permission_denied',
  secret: 'permission_denied',
};

/** Reads `@{path}` of command files: the path is literal, without escapes. */
export function createReferenceReader(source: ReferenceSource): ReferenceReader {
  return {
    async read(path, signal) {
      const reading = { path, end: path.length };
      const { meaning } = await findMeaning({ start: 0, readings: [reading], guess: reading }, source);
      const collector = new FileCollector({ source, signal });
      await collector.add(`@{${path}}`, { ...meaning, isSure: true });
      const { blocks, warnings } = collector;
      const failure = warnings.find(({ code }) => FAILURES[code] !== undefined);
      const code = failure && FAILURES[failure.code];
      if (failure !== undefined && code !== undefined) throw new AgentError(code, failure.message, { data: { path } });
      return { content: blocks, warnings: warnings.map(({ message }) => message) };
    },
  };
}
