#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '@qwen/protocol';
import { Report } from './report.js';

const USAGE = `Usage: qwen-conformance cli COMMAND [ARG...]
       qwen-conformance sdk MODULE [--path-option NAME]

Check an agent CLI or an SDK against the dialects of JSON lines and the control protocol. Nothing leaves this machine: the
model is a script on loopback.

  cli COMMAND [ARG...]    Start this command, with the flags of an SDK appended.
  sdk MODULE              Load a package, or a file, that exports query().
      --path-option NAME  Option of query() for the path of the CLI. Default: pathToQwenExecutable.
      --json              Print one JSON document. Must come before cli or sdk.

Exit code: 0 all checks passed, 1 a check failed, 2 wrong usage.
`;

async function main(words: readonly string[]): Promise<number> {
  const isJson = words[0] === '--json';
  const [kind, ...rest] = isJson ? words.slice(1) : words;
  if (kind === undefined || kind === '--help' || kind === '-h') {
    process.stdout.write(USAGE);
    return kind === undefined ? 2 : 0;
  }
  if (rest.length === 0 || (kind !== 'cli' && kind !== 'sdk')) {
    process.stderr.write(
      `qwen-conformance: expected cli COMMAND or sdk MODULE, not "${words.join(' ')}"; see --help\n`,
    );
    return 2;
  }
  const sdk = kind === 'sdk' ? readModule(rest) : undefined;
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'qwen-conformance-')));
  const report = new Report();
  try {
    if (sdk === undefined) {
      const { checkCli } = await import('./cli-checks.js');
      await checkCli(report, { command: rest.map(absolute), folder });
    } else {
      const { checkSdk } = await import('./sdk-checks.js');
      await checkSdk(report, { ...sdk, folder });
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  const text = isJson ? `${JSON.stringify(report.outcomes, undefined, 2)}\n` : report.toText();
  // Exiting would cut off what a pipe has not taken yet.
  await new Promise<unknown>((written) => process.stdout.write(text, written));
  return report.hasFailures ? 1 : 0;
}

/** The program starts in another folder. Its name is looked up in the PATH, unless it is a path. */
function absolute(word: string, index: number): string {
  const mayBePath = index > 0 || word.includes('/');
  return mayBePath && existsSync(word) ? resolve(word) : word;
}

/** Throws if the words are not exactly one module and known options. */
function readModule(words: readonly string[]): { module: string; pathOption: string } {
  const options = { 'path-option': { type: 'string', default: 'pathToQwenExecutable' } } as const;
  const { positionals, values } = parseArgs({ args: [...words], options, allowPositionals: true });
  const [module, ...others] = positionals;
  if (module === undefined || others.length > 0) {
    throw new Error(`expected one MODULE after sdk, not "${positionals.join(' ')}"; see --help`);
  }
  return { module, pathOption: values['path-option'] };
}

process.exit(
  await main(process.argv.slice(2)).catch((thrown: unknown) => {
    process.stderr.write(`qwen-conformance: ${messageOf(thrown)}\n`);
    return 2;
  }),
);
