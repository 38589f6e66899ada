import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { BENCHES } from './figures/index.ts';
import { figureSchema } from './harness/figure.ts';

// Every benchmark runs and returns its figures. Their values are not tested.

const run = promisify(execFile);

const LOADED = [
  'an empty module',
  'node:child_process',
  'execa',
  'zod/mini',
  'zod',
  'openai',
  '@google/genai',
  'MCP client',
  'MCP server',
];

const FIGURES: Readonly<Record<string, readonly string[]>> = {
  'cold-start': [
    'spawn to first line',
    'spawn to first line, no compile cache',
    'spawn to result of one turn',
    'spawn to the answer for an editor',
    'spawn to the answer for an editor, no compile cache',
  ],
  'sdk-cold-start': [
    'app that imports the SDK',
    'app: query() to init',
    'app: query() to result',
    'app: query() to clean end',
  ],
  'warm-query': ['warm query() to init', 'warm query() to result'],
  'control-round-trip': ['interrupt() p50', 'interrupt() p99', 'mcpServerStatus() p50', 'mcpServerStatus() p99'],
  'tool-round-trip': [
    'in-process tool, added per turn',
    'in-process tool, last 2 turns',
    'in-process tool, the plain turn',
    'read_file, added per turn',
    'read_file, last 2 turns',
    'read_file, the plain turn',
  ],
  sandbox: ['a command in the sandbox, added'],
  deltas: [
    '500 deltas, wall',
    '500 deltas, first to last',
    'deltas',
    'processor time of both processes',
    'peak memory of the app',
    'peak memory of the child',
  ],
  'delta-latency': ['delta at a 5 ms pace p50', 'delta at a 5 ms pace p99'],
  sessions: ['1 sessions at once', '4 sessions at once'],
  memory: ['peak memory of the CLI tree, one turn'],
  'install-size': ['@qwen/sdk installed, CLI included', 'packages', 'install scripts', 'optional ripgrep, added'],
  'first-request': [
    'first request to the model',
    'first request: tools',
    'first request: system prompt',
    'requests of 4 with unchanged prefix',
  ],
  load: LOADED.flatMap((name) => [`load ${name}`, `load ${name}, cached`]),
  hints: ['hint, cold index', 'hint, warm p50', 'hint, warm p99', 'longest block, cold index', 'longest block, warm'],
  'chunk-lines': ['500 chunk lines, wall', 'chunk lines'],
  soak: ['turn p50, last 5', 'turn p99, last 5', 'memory after 10 turns', 'memory after 100 turns'],
  'server-log': [
    '1,000 durable appends',
    '8,000 events replayed',
    'delivery p50',
    'delivery p99',
    'deliveries',
    'memory per idle subscriber',
  ],
  terminal: [
    'spawn to a key on the screen',
    'key to screen, 2,000 messages p50',
    'key to screen, 2,000 messages p99',
    'key to screen while lines stream p50',
    'key to screen while lines stream p99',
    'lines on the screen',
    'memory after the lines',
    'peak memory',
  ],
  server: [
    'memory per idle session',
    'memory per idle subscriber',
    'delivery while turns run p50',
    'delivery while turns run p99',
    'deliveries while turns run',
  ],
};

test('lists the figures of every benchmark', () => {
  expect(Object.keys(FIGURES)).toEqual(Object.keys(BENCHES));
});

test.each(Object.entries(FIGURES))('%s', { timeout: 120_000 }, async (name, figures) => {
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'run.ts'), name, '--quick', '--json']);
  const measured = stdout
    .trim()
    .split('\n')
    .map((line) => figureSchema.parse(JSON.parse(line)));
  expect(measured.map((figure) => figure.name)).toEqual(figures);
  for (const figure of measured) {
    expect(Number.isFinite(figure.value)).toBe(true);
    expect(Number.isFinite(figure.baseline?.value ?? 0)).toBe(true);
  }
});
