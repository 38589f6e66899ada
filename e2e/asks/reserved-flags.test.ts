import { FLAGS } from '@qwen/host/flags/args.js';
import { AgentError, query } from '@qwen/sdk';
import { expect, test } from 'vitest';

// An option that decides what runs must not be changed by another spelling of its flag.

interface Spec {
  readonly name: string;
  readonly short?: string;
  readonly aliases?: readonly string[];
  readonly group: string;
}

const SPECS = Object.values(FLAGS).map(({ name, short, aliases = [], group }: Spec) => ({
  name,
  group,
  spellings: [...[name, ...aliases].map((long) => `--${long}`), ...(short === undefined ? [] : [`-${short}`])],
}));

/** Whether an app must use the option instead. */
function isReserved(argument: string): boolean {
  const abortController = new AbortController();
  abortController.abort();
  try {
    query({ prompt: 'hi', options: { extraArgs: [argument], abortController } });
    return false;
  } catch (thrown) {
    if (AgentError.is(thrown) && thrown.code === 'invalid_options') return true;
    throw thrown;
  }
}

test.each(SPECS)('all spellings of --$name are reserved, or none', ({ name, spellings }) => {
  const expected = isReserved(`--${name}`);
  for (const spelling of spellings) {
    expect(isReserved(spelling), spelling).toBe(expected);
    expect(isReserved(`${spelling}=x`), `${spelling}=x`).toBe(expected);
  }
});

test.each(SPECS.filter(({ group }) => group === 'Permissions'))('--$name is reserved', ({ spellings }) => {
  for (const spelling of spellings) expect(isReserved(spelling), spelling).toBe(true);
});
