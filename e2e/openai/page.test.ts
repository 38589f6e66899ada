import { readFileSync } from 'node:fs';
import { readInputLine, readOutputLine } from '@qwen/protocol/openai';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { problemsOf } from './ipc-schemas.ts';

const page = readFileSync(new URL('../../docs/openai-lines.md', import.meta.url), 'utf8');

/** The lines of the blocks of one kind: ours, or those of a host. */
function linesOf(info: 'jsonl' | 'jsonl host'): readonly string[] {
  const blocks = [...page.matchAll(/^```([^\n]*)\n([^]*?)\n```$/gm)].filter(([, told]) => told === info);
  return blocks.flatMap(([, , text = '']) => text.split('\n'));
}

test.each(linesOf('jsonl host').map((line) => [line]))('a host may send %s', (line) => {
  verifies('S-09', 'T33');
  expect(problemsOf(JSON.parse(line))).toEqual([]);
  expect(['chat', 'typed', 'control']).toContain(readInputLine(line).kind);
});

test.each(linesOf('jsonl').map((line) => [line]))('we write %s', (line) => {
  verifies('S-09', 'T33');
  expect(problemsOf(JSON.parse(line))).toEqual([]);
  expect(['invalid', 'unknown']).not.toContain(readOutputLine(line).kind);
});

test('the page states the purpose of each format, the unit of each time, and what to store', () => {
  verifies('A-23', 'CF-17', 'L-10', 'L-12');
  expect(page).toMatch(/--output-format stream-json +# .*servers, wrappers/);
  expect(page).toMatch(/--output-format stream-chunk-json +# .*editors and user interfaces/);
  for (const unit of ['`created`, `ts` of heartbeats | seconds', '`timestamp` of tool displays | milliseconds']) {
    expect(page).toContain(unit);
  }
  expect(page).toContain('stores the lines of both directions in order');
  for (const name of ['000-command-echo-stream-json', '001-command-echo-stream-json']) {
    expect(commands(name)).toContain('qwen --input-format stream-json --output-format stream-json');
  }
  expect(page).toMatch(/echo '\{"model":"qwen-coder".*\n {2}\| qwen --input-format stream-json/);
});

test('one page compares the dialects and helps users of other APIs to migrate', () => {
  verifies('GAP-102');
  const dialects = readFileSync(new URL('../../docs/dialects.md', import.meta.url), 'utf8');
  for (const other of ['OpenAI', 'an SDK for Claude', 'Qoder']) expect(dialects).toContain(`## Migrate from ${other}`);
  const [, table = ''] = dialects.split('## Compare the dialects\n\n');
  expect(table).toMatch(/^\| \| openai, `stream-json` \| openai, `stream-chunk-json` \| sdk \|\n/);
});

function commands(name: string): string {
  return readFileSync(new URL(`fixtures/${name}.sh`, import.meta.url), 'utf8');
}
