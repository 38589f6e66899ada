import { AgentError } from '@qwen/protocol';
import { expect, test } from 'vitest';
import { createProblemReport } from './problem-report.js';

const skipped = new AgentError('invalid_message', 'Skipped a line.');
const failed = new AgentError('handler_failed', 'The callback failed.');

function reported(options: Parameters<typeof createProblemReport>[0]): string[] {
  const lines: string[] = [];
  const report = createProblemReport({ ...options, stderr: (line) => lines.push(line) });
  report.debug(() => 'details');
  report.info(() => 'ready');
  report.problem(skipped);
  report.problem(failed);
  return lines.map((line) => line.replace(/^[\d-]+ [\d:]+ /, ''));
}

test('without a level, problems are reported, and with debug everything', () => {
  const problems = ['[qwen sdk] invalid_message: Skipped a line.', '[qwen sdk] handler_failed: The callback failed.'];
  expect(reported({})).toEqual(problems);
  expect(reported({ debug: true })).toEqual(['[qwen sdk] details', '[qwen sdk] ready', ...problems]);
});

test('logLevel decides, also with debug', () => {
  const error = '[ERROR] [Query] handler_failed: The callback failed.';
  const warn = '[WARN] [Query] invalid_message: Skipped a line.';
  const info = '[INFO] [Query] ready';
  expect(reported({ logLevel: 'error', debug: true })).toEqual([error]);
  expect(reported({ logLevel: 'warn', debug: true })).toEqual([warn, error]);
  expect(reported({ logLevel: 'info' })).toEqual([info, warn, error]);
  expect(reported({ logLevel: 'debug' })).toEqual(['[DEBUG] [Query] details', info, warn, error]);
});
