import { verifies } from '@qwen/testkit';
import { expect, test, vi } from 'vitest';
import { interceptPrints, type Printed } from './print-interceptor.js';

/** Prints as libraries do. Returns what was reported and what reached the real stderr. */
function intercept(onPrint: (printed: Printed) => void, { keepsRaw }: { readonly keepsRaw: boolean }) {
  const told: Printed[] = [];
  const raw: unknown[] = [];
  const real = vi.spyOn(process.stderr, 'write').mockImplementation((text) => raw.push(text) > 0);
  const undo = interceptPrints({
    keepsRaw,
    onPrint: (printed) => {
      told.push(printed);
      onPrint(printed);
    },
  });
  return {
    told,
    raw,
    [Symbol.dispose]() {
      undo();
      real.mockRestore();
    },
  };
}

/** As libraries do. */
const print = (text: string, level: 'log' | 'error' = 'log') => console[level](text);

test('intercepted output is reported with channel and level, and nothing is written', () => {
  verifies('L-07', 'D-07', 'D-15', 'D-18');
  using caught = intercept(() => undefined, { keepsRaw: false });
  for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) console[level]('%s of %d', level, 5);
  process.stdout.write('to stdout');
  process.stderr.write(Buffer.from('to stderr'));
  expect(caught.told).toEqual([
    ...(['log', 'info', 'warn', 'error', 'debug'] as const).map((level) => ({
      channel: 'stderr',
      level,
      text: `${level} of 5\n`,
    })),
    { channel: 'stdout', text: 'to stdout' },
    { channel: 'stderr', text: 'to stderr' },
  ]);
  expect(caught.raw).toEqual([]);
});

test('on request, all output is also written to stderr unchanged', () => {
  verifies('L-07');
  using caught = intercept(() => undefined, { keepsRaw: true });
  print('one');
  process.stdout.write('two');
  expect(caught.raw).toEqual(['one\n', 'two']);
});

test('output of the reporter itself causes no endless loop', () => {
  using caught = intercept(() => print('again', 'error'), { keepsRaw: false });
  print('once');
  print('twice');
  expect(caught.told.map(({ text }) => text)).toEqual(['once\n', 'twice\n']);
});

test('a split character is joined, and callers that wait for the write continue', async () => {
  using caught = intercept(() => undefined, { keepsRaw: false });
  const [first, second] = [Buffer.from('ü').subarray(0, 1), Buffer.from('ü').subarray(1)];
  process.stdout.write(first);
  await new Promise<void>((resolve) => {
    process.stdout.write(second, () => resolve());
  });
  expect(caught.told).toEqual([{ channel: 'stdout', text: 'ü' }]);
});

test('undo restores all streams', () => {
  const { log } = console;
  const before = [process.stdout, process.stderr];
  intercept(() => undefined, { keepsRaw: false })[Symbol.dispose]();
  expect([process.stdout, process.stderr]).toEqual(before);
  expect(console).toHaveProperty('log', log);
});
