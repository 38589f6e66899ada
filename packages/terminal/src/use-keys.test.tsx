import { Text } from 'ink';
import { type ReactNode, useState } from 'react';
import { expect, test } from 'vitest';
import { ComponentFixture } from '../test/component-fixture.js';
import { useKeys } from './use-keys.js';

function First({ onKey }: { readonly onKey: (key: string) => void }): ReactNode {
  useKeys({ onKey });
  return <Text>first</Text>;
}

function Second({ onKey }: { readonly onKey: (key: string) => void }): ReactNode {
  useKeys({ onKey });
  return <Text>second</Text>;
}

test('keys go to the component that the screen shows, as soon as it shows it', async () => {
  const got: string[] = [];
  function Swap(): ReactNode {
    const [isFirst, setFirst] = useState(true);
    const swap = (key: string): void => {
      got.push(`first ${key}`);
      setTimeout(() => setFirst(false), 100);
    };
    return isFirst ? <First onKey={swap} /> : <Second onKey={(key) => got.push(`second ${key}`)} />;
  }
  await using fixture = new ComponentFixture(<Swap />);
  await fixture.until('first');
  fixture.typeWhenWritten('second', 'b');
  fixture.type('a');
  await expect.poll(() => got).toHaveLength(2);
  expect(got).toEqual(['first a', 'second b']);
});
