import { verifies } from '@qwen/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { partsOf } from '../../test/collect.js';
import type { ModelPart } from '../parts.js';
import { ToolCallAssembler, type ToolCallPiece } from './tool-call-assembler.js';

const assemble = (pieces: readonly ToolCallPiece[], isCut = false): ModelPart[] => {
  const assembler = new ToolCallAssembler();
  const parts = pieces.flatMap((piece) => [...assembler.add(piece)]);
  return [...parts, ...assembler.end(isCut)];
};
const piece = (index: number | undefined, id: string | undefined, name?: string, json?: string): ToolCallPiece => ({
  index,
  id,
  function: { name, arguments: json },
});
const endsOf = (parts: readonly ModelPart[]) => partsOf(parts, 'tool_call_end');

describe('pieces', () => {
  test('interleaved pieces are assembled in any order', () => {
    const call = fc.record({
      name: fc.stringMatching(/^[a-z_]{1,8}$/),
      input: fc.dictionary(fc.string(), fc.jsonValue()),
    });
    fc.assert(
      fc.property(
        fc.array(call, { minLength: 1, maxLength: 4 }),
        fc.array(fc.nat(), { maxLength: 60 }),
        (calls, order) => {
          const texts = calls.map(({ input }) => JSON.stringify(input));
          const pieces = calls.map(({ name }, index) => piece(index, `id-${index}`, name, ''));
          const rest = texts.map((text) => [...text]);
          for (const pick of order) {
            const index = pick % calls.length;
            const json = rest[index]?.splice(0, 1 + (pick % 5)).join('');
            pieces.push(piece(index, undefined, undefined, json));
          }
          rest.forEach((characters, index) => pieces.push(piece(index, undefined, undefined, characters.join(''))));
          const parts = assemble(pieces);
          expect(endsOf(parts).map(({ name, input }) => ({ name, input }))).toEqual(
            calls.map(({ name }, index) => ({ name, input: JSON.parse(texts[index] ?? '') as unknown })),
          );
          for (const [index, text] of texts.entries()) {
            const deltas = partsOf(parts, 'tool_call_delta').filter((delta) => delta.id === `id-${index}`);
            expect(deltas.map((delta) => delta.json).join('')).toBe(text);
          }
        },
      ),
    );
  });

  test.for<[string, readonly ToolCallPiece[]]>([
    [
      'without index',
      [
        piece(undefined, 'a', 'f', '{"n":'),
        piece(undefined, undefined, undefined, '1}'),
        piece(undefined, 'b', 'f', '{"n":2}'),
      ],
    ],
    ['with the same index for each', [piece(0, 'a', 'f', '{"n":1}'), piece(0, 'b', 'f', '{"n":2}')]],
    ['with the same index and no ids', [piece(0, undefined, 'f', '{"n":1}'), piece(0, '', 'f', '{"n":2}')]],
    [
      'with name and id repeated in each piece',
      [piece(0, 'a', 'f', ''), piece(0, 'a', 'f', '{"n":1}'), piece(1, 'b', 'f', '{"n":'), piece(1, 'b', 'f', '2}')],
    ],
    [
      'with the name repeated and no ids',
      [piece(0, undefined, 'f', ''), piece(0, undefined, 'f', '{"n":1}'), piece(1, undefined, 'f', '{"n":2}')],
    ],
    [
      'with the name after the arguments began',
      [piece(0, 'a', '', '{"n":'), piece(0, undefined, 'f', '1}'), piece(1, 'b', 'f', '{"n":2}')],
    ],
    [
      'with another id in each piece',
      [piece(0, 'a', 'f', ''), piece(0, 'b', 'f', '{"n":'), piece(0, 'c', 'f', '1}'), piece(0, 'd', 'f', '{"n":2}')],
    ],
    [
      'with pieces that repeat those before them',
      [piece(0, 'a', 'f', '{"n"'), piece(0, undefined, undefined, '{"n":1}'), piece(1, 'b', 'f', '{"n":2}')],
    ],
    [
      'with arguments as objects',
      [
        { index: 0, id: 'a', function: { name: 'f', arguments: { n: 1 } } },
        { index: 1, id: 'b', function: { name: 'f', arguments: { n: 2 } } },
      ],
    ],
  ])('two calls %s', ([, pieces]) => {
    verifies('F76');
    const parts = assemble(pieces);
    expect(endsOf(parts).map(({ name, input }) => [name, input])).toEqual([
      ['f', { n: 1 }],
      ['f', { n: 2 }],
    ]);
    expect(partsOf(parts, 'tool_call_start').map(({ id }) => id)).toEqual(endsOf(parts).map(({ id }) => id));
    expect(new Set(endsOf(parts).map(({ id }) => id)).size).toBe(2);
  });

  test('a new id with a name starts a new call', () => {
    verifies('F76');
    const ends = endsOf(assemble([piece(0, 'a', 'f', ''), piece(0, 'b', 'f', '{"n":2}')]));
    expect(ends).toMatchObject([
      { id: 'a', input: {} },
      { id: 'b', input: { n: 2 } },
    ]);
  });

  test('a known id with a name continues its call', () => {
    expect(endsOf(assemble([piece(0, 'a', 'f', '{"n":1}'), piece(0, 'a', 'f', '')]))).toHaveLength(1);
  });

  const one = '{"command":"ls"}';
  test.for<[string, readonly ToolCallPiece[]]>([
    ['no id', [piece(0, undefined, 'f', one)]],
    ['an empty id', [piece(0, '', 'f', one)]],
    ['no id and no index', [piece(undefined, undefined, 'f', one)]],
    ['no id at another index', [piece(1, undefined, 'f', one)]],
    ['other blanks', [piece(0, undefined, 'f', '{ "command": "ls" }')]],
    ['the same id', [piece(0, 'a', 'f', one)]],
    ['the same id at another index', [piece(1, 'a', 'f', one)]],
    ['the same id in pieces', [piece(1, 'a', 'f', '{"command"'), piece(1, 'a', undefined, ':"ls"}')]],
  ])('a call that is repeated with %s is one call', ([, repeated]) => {
    const parts = assemble([piece(0, 'a', 'f', '{"comm'), piece(0, undefined, undefined, 'and":"ls"}'), ...repeated]);
    expect(partsOf(parts, 'tool_call_start')).toHaveLength(1);
    expect(endsOf(parts)).toMatchObject([{ id: 'a', input: { command: 'ls' } }]);
  });

  test('several calls that are repeated without ids stay several', () => {
    const calls = [piece(0, 'a', 'f', '{"n":1}'), piece(1, 'b', 'f', '{"n":2}')];
    const repeated = [piece(0, undefined, 'f', '{"n":1}'), piece(1, undefined, 'f', '{"n":2}')];
    const third = piece(1, undefined, 'f', '{"n":3}');
    expect(endsOf(assemble([...calls, ...repeated, third])).map(({ input }) => input?.['n'])).toEqual([1, 2, 3]);
  });

  test('a new id at the same index is a repetition only in the last chunk', () => {
    const run = (second: ToolCallPiece, inLast: boolean) => {
      const assembler = new ToolCallAssembler();
      const parts = [...assembler.addAll([piece(0, 'a', 'f', one)], false), ...assembler.addAll([second], inLast)];
      return endsOf([...parts, ...assembler.end(false)]).length;
    };
    expect(run(piece(0, 'b', 'f', one), true)).toBe(1);
    expect(run(piece(0, 'b', 'f', one), false)).toBe(2);
    expect(run(piece(1, 'b', 'f', one), true)).toBe(2);
    expect(run(piece(0, 'b', 'f', '{}'), true)).toBe(2);
    const both = new ToolCallAssembler();
    both.addAll([piece(0, 'a', 'f', one), piece(0, 'b', 'f', one)], true);
    expect(endsOf(both.end(false))).toHaveLength(2);
  });

  test('a call without arguments has an empty input', () => {
    expect(endsOf(assemble([piece(0, 'a', 'f')]))).toMatchObject([{ input: {} }]);
  });
});

describe('calls that must not run', () => {
  test.for([true, false])('incomplete arguments are rejected, truncated at the limit: %s', (isCut) => {
    verifies('F75');
    const [end] = endsOf(assemble([piece(0, 'a', 'write_file', '{"path":"/a","content":"abc')], isCut));
    expect(end?.error?.code).toBe('invalid_tool_input');
    expect(end).not.toHaveProperty('input');
  });

  test('arguments that are no text and no object are refused', () => {
    const pieces = [
      { index: 0, id: 'a', function: { name: 'f', arguments: 5 } },
      { index: 1, id: 'b', function: { name: 'f', arguments: [1, 2] } },
    ];
    expect(endsOf(assemble(pieces)).map(({ error }) => error?.code)).toEqual([
      'invalid_tool_input',
      'invalid_tool_input',
    ]);
  });

  test('a truncated call is rejected even if it parses; earlier calls are kept', () => {
    verifies('F75');
    const ends = endsOf(assemble([piece(0, 'a', 'f', '{"n":1}'), piece(1, 'b', 'f', '{"n":2}')], true));
    expect(ends[0]).toMatchObject({ input: { n: 1 } });
    expect(ends[1]?.error?.code).toBe('invalid_tool_input');
    expect(ends[1]).not.toHaveProperty('input');
  });
});
