import { sep } from 'node:path';
import { AgentError, LineDecoder } from '@qwen/protocol';
import * as z from 'zod/mini';
import { decodeText } from '../files/text-encoding.js';
import { IgnoreCheck } from './ignore-check.js';
import {
  type FileMatches,
  MAX_LINES_PER_FILE,
  MAX_SEARCHED_BYTES,
  type SearchEngine,
  type SearchRequest,
} from './search-engine.js';

/** Text that is not UTF-8 is base64. */
const textSchema = z.union([z.object({ text: z.string() }), z.object({ bytes: z.string() })]);

const eventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('begin') }),
  z.object({
    type: z.literal('match'),
    data: z.object({ lines: textSchema, line_number: z.nullable(z.number()) }),
  }),
  z.object({
    type: z.literal('end'),
    data: z.object({ path: textSchema, binary_offset: z.nullable(z.number()) }),
  }),
  z.object({ type: z.literal('summary') }),
]);

/** One line, with up to six bytes of JSON per byte. */
const MAX_EVENT_BYTES = MAX_SEARCHED_BYTES * 6 + 64 * 1024;

/** ripgrep searches what our walk does; `IgnoreCheck` filters the rest. */
const FIXED_OPTIONS = [
  '--json',
  '--no-config',
  '--no-messages',
  '--crlf',
  '--hidden',
  '--no-require-git',
  '--no-ignore-parent',
  '--no-ignore-global',
  '--no-ignore-exclude',
  '--no-ignore-dot',
  '--sort=path',
  `--max-count=${MAX_LINES_PER_FILE}`,
  `--max-filesize=${MAX_SEARCHED_BYTES}`,
  '--glob=!.git',
  '--glob=!node_modules',
];

/** Another engine may accept the pattern. */
export class PatternRefused extends Error {}

/** Throws {@link PatternRefused} before the first match or never. */
export function ripgrepEngine(program: string): SearchEngine {
  return async function* searchWithRipgrep(request: SearchRequest): AsyncGenerator<FileMatches> {
    const { execa } = await import('execa');
    if (request.signal.aborted) return;
    // Model text is never an option of ripgrep.
    const operand = request.file === undefined ? '.' : `./${request.file}`;
    const caseOption = request.isCaseSensitive === true ? '--case-sensitive' : '--ignore-case';
    const child = execa(program, [...FIXED_OPTIONS, caseOption, `--regexp=${request.pattern}`, '--', operand], {
      cwd: request.folder,
      env: {},
      extendEnv: false,
      stdin: 'ignore',
      stderr: 'ignore',
      encoding: 'buffer',
      buffer: false,
      reject: false,
      forceKillAfterDelay: 500,
    });
    const stop = () => child.kill('SIGKILL');
    request.signal.addEventListener('abort', stop, { once: true });
    try {
      yield* readEvents(child.stdout, request);
    } finally {
      request.signal.removeEventListener('abort', stop);
      stop();
      await child;
    }
  };
}

async function* readEvents(chunks: AsyncIterable<Uint8Array>, request: SearchRequest): AsyncGenerator<FileMatches> {
  const decoder = new LineDecoder({ maxLineBytes: MAX_EVENT_BYTES });
  const check = new IgnoreCheck(request.folder);
  let lines: { number: number; text: string }[] = [];
  let isWhole = false;
  for await (const chunk of chunks) {
    for (const line of decoder.push(chunk)) {
      if (!line.ok) throw line.error;
      const event = parseEvent(line.text);
      if (event.type === 'begin') lines = [];
      else if (event.type === 'summary') isWhole = true;
      else if (event.type === 'match') {
        lines.push({ number: event.data.line_number ?? 0, text: withoutLineEnd(toText(event.data.lines)) });
      } else if (event.data.binary_offset === null && lines.length > 0) {
        const names = toText(event.data.path)
          .split(sep)
          .filter((name) => name !== '.');
        const isWanted = request.file !== undefined || !(await check.ignores(names, false));
        if (isWanted && request.accepts(names)) yield { names, lines };
      }
    }
  }
  if (!isWhole && !request.signal.aborted) throw new PatternRefused();
}

function parseEvent(text: string): z.infer<typeof eventSchema> {
  const parsed = z.safeParse(eventSchema, JSON.parse(text));
  if (parsed.success) return parsed.data;
  throw new AgentError('tool_failed', 'ripgrep printed output in an unknown format.');
}

function toText(text: z.infer<typeof textSchema>): string {
  if ('text' in text) return text.text;
  const bytes = Buffer.from(text.bytes, 'base64');
  return decodeText(bytes)?.text ?? bytes.toString();
}

function withoutLineEnd(line: string): string {
  return line.replace(/\r?\n$/, '');
}
