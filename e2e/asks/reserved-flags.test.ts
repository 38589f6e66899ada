import { expect, test } from 'vitest';
import { FLAGS } from '../../packages/host/src/flags/args.ts';
import { reservedFlagOf } from '../../packages/sdk/src/transport/spawn-args.ts';

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

test.each(SPECS)('every spelling of --$name is reserved, or none', ({ name, spellings }) => {
  const isReserved = reservedFlagOf(`--${name}`) !== undefined;
  for (const spelling of spellings) {
    expect(reservedFlagOf(spelling) !== undefined, spelling).toBe(isReserved);
    expect(reservedFlagOf(`${spelling}=x`) !== undefined, `${spelling}=x`).toBe(isReserved);
  }
});

test.each(SPECS.filter(({ group }) => group === 'Permissions'))('--$name is reserved', ({ spellings }) => {
  expect(spellings.map(reservedFlagOf)).toEqual(spellings);
});
