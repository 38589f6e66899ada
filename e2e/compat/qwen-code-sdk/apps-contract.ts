import { readdir } from 'node:fs/promises';
import { calls, lastText, says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openBench } from '../run-app.ts';

export interface Pair {
  readonly cli: string;
  /** Whether the app runs with the SDK that it was written for. */
  readonly keepsImport: boolean;
  /** The CLI of qwen-code takes seconds to start. */
  readonly timeout: number;
}

const write = (path: string) => calls({ name: 'write_file', input: { file_path: path, content: 'x' } });

/** The model answers the conversation, and nothing that a CLI asks besides. */
function isAside(request: { readonly tools?: unknown; readonly messages: readonly unknown[] }): boolean {
  return request.tools === undefined || JSON.stringify(request.messages[0]).includes('memory extraction');
}

/** Whole apps of `@qwen-code/sdk`, judged by their effects. */
export function describeApps({ cli, keepsImport, timeout }: Pair): void {
  const how = { keepsImport, env: { QWEN_CLI: cli } };
  const open: typeof openBench = (script, options) =>
    openBench((folder) => {
      const replies = [...script(folder)];
      return [
        (request) => {
          const reply = isAside(request) ? says('Nothing.') : (replies.shift() ?? says('Nothing.'));
          return typeof reply === 'function' ? reply(request) : reply;
        },
      ];
    }, options);

  test('a reviewer writes its report and nothing else', { timeout }, async () => {
    await using bench = await open((folder) => [
      write(folder.resolve('evil.txt')),
      calls({ name: 'run_shell_command', input: { command: 'touch evil.txt' } }),
      write(folder.resolve('REVIEW.md')),
      says('Fine.'),
    ]);
    expect(await bench.run('qwen-code-sdk/apps/reviewer', how)).toEqual([
      'started in default, shell false',
      'asked for write_file, may answer true',
      'refused',
      'refused',
      'asked for write_file, may answer true',
      'done',
      'Fine.',
      'result: Fine.',
    ]);
    expect(await readdir(bench.workspace.path)).toEqual(['REVIEW.md']);
  });

  test('a calculator in the app answers two questions of one chat', { timeout }, async () => {
    await using bench = await open(() => [
      calls({ name: 'mcp__calculator__add', input: { a: 2, b: 3 } }),
      (request) => says(`It is ${lastText(request)}.`),
      calls({ name: 'mcp__calculator__divide', input: { a: 1, b: 0 } }),
      says('Impossible.'),
    ]);
    expect(await bench.run('qwen-code-sdk/apps/calculator', how)).toEqual([
      'calls mcp__calculator__add',
      '"5"',
      '1: It is 5.',
      'calls mcp__calculator__divide',
      'error',
      '2: Impossible.',
      '1 additions',
    ]);
  });

  test('a chat changes model and mode, streams, and is aborted', { timeout }, async () => {
    await using bench = await open(
      (folder) => [says('Hello.'), write(folder.resolve('note.txt')), says('Written.'), says('one '.repeat(3000))],
      { tokensPerSecond: 100 },
    );
    expect(await bench.run('qwen-code-sdk/apps/steering', how)).toEqual([
      '1: Hello. (true)',
      'true true',
      '2: Written. (true)',
      'aborted after 2 turns',
      'closed true',
      'Query is closed',
    ]);
    expect(await readdir(bench.workspace.path)).toEqual(['note.txt']);
    const models = bench.model.requests.filter((request) => !isAside(request)).map(({ model }) => model);
    expect(models).toEqual(['first', 'second', 'second', 'second']);
  });
}
