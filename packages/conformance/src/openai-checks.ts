import { readOutputLine } from '@qwen/protocol/openai';
import { type CliFixture, member } from './cli-fixture.js';
import type { Line, LineProgram } from './line-program.js';
import { expectEqual } from './report.js';

const chat = (content: string, sessionId?: unknown) => ({
  ...(sessionId !== undefined && { session_id: sessionId }),
  messages: [{ role: 'user', content }],
});
const hasSummary = (line: Line) => member(line, 'metadata', 'summary') !== undefined;
const texts = (lines: readonly Line[], holder: 'message' | 'delta') =>
  lines
    .filter((line) => member(line, 'choices', 0, holder, 'role') !== 'tool')
    .map((line) => member(line, 'choices', 0, holder, 'content'))
    .filter((text) => typeof text === 'string')
    .join('');

/** The dialect of chat completions, which needs no `initialize`. */
export async function checkOpenAiLines({ report, model, spawn }: CliFixture): Promise<void> {
  await using program = spawn(['--input-format', 'stream-json', '--output-format', 'stream-json']);
  let session: unknown;
  await report.need('openai-receipt', 'first writes a receipt with the version and the session', async () => {
    const receipt = await program.next('receipt', () => true);
    session = member(receipt, 'metadata', 'session_id');
    expectEqual(
      [receipt['object'], typeof session, typeof member(receipt, 'metadata', 'protocol_version')],
      ['chat.completion', 'string', 'number'],
      'object, and types of metadata.session_id and metadata.protocol_version',
    );
  });
  await report.need('openai-turn', 'answers a chat request with messages and one summary', async () => {
    expectEqual(await say(program, 'one'), 'one', 'the text');
  });
  await report.check('openai-session', 'continues the session that a request names', async () => {
    program.send(chat('SAY(two)', session));
    const end = await program.next('summary', hasSummary);
    expectEqual(member(end, 'metadata', 'session_id'), session, 'metadata.session_id');
    if (!model.lastRequest.includes('SAY(one)')) throw new Error('the model did not get the earlier messages');
  });
  await report.check('openai-malformed', 'reports a line that is not JSON and continues', async () => {
    program.send('this is not JSON');
    await program.next('error', (line) => member(line, 'metadata', 'error', 'code') === 'QWEN_INVALID_INPUT');
    expectEqual(await say(program, 'three'), 'three', 'the text of the next prompt');
  });
  await report.check('openai-valid-lines', 'writes only valid lines to stdout', () => checkLines(program));
  await report.check('openai-end', 'ends with exit code 0 when stdin closes', async () => {
    expectEqual(await program.end(), 0, 'exit code');
  });
  await report.check('openai-deltas', 'stream-chunk-json writes deltas that form the text', async () => {
    await using chunks = spawn(['--input-format', 'stream-json', '--output-format', 'stream-chunk-json']);
    chunks.send(chat('SAY(streamed)'));
    const end = await chunks.next('summary', hasSummary);
    expectEqual([end['object'], texts(chunks.lines, 'delta')], ['chat.completion.chunk', 'streamed'], 'the deltas');
    checkLines(chunks);
  });
}

/** The text of the turn, which must have ended without an error. */
async function say(program: LineProgram, words: string): Promise<string> {
  const from = program.lines.length;
  program.send(chat(`SAY(${words})`));
  const end = await program.next('summary', hasSummary);
  expectEqual(member(end, 'metadata', 'summary', 'is_error'), false, 'metadata.summary.is_error');
  return texts(program.lines.slice(from), 'message');
}

/** Throws for the first line that the schemas refuse, or do not know. */
function checkLines({ lines }: LineProgram): void {
  for (const line of lines) {
    const read = readOutputLine(JSON.stringify(line));
    if (read.kind === 'invalid') throw read.error;
    if (read.kind === 'unknown') throw new Error(`unknown type ${read.type}`);
  }
}
