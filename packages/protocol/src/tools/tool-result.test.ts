import { expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod/mini';
import { RESULT_DEFINITIONS, TOOL_RESULT_SCHEMAS, type ToolResultOf, toolResultOf } from './tool-result.js';
import { BUILTIN_TOOL_NAMES } from './tool-table.js';

const HEADER = '// Printed: `vitest run packages/protocol/src/tools/tool-result.test.ts -u`; do not edit.\n\n';

test('the exported schemas match those that check results', async () => {
  const entries = Object.entries(RESULT_DEFINITIONS).map(([name, schema]) => [name, print(schema)]);
  const printed = Object.fromEntries(entries);
  await expect(
    `${HEADER}export const RESULT_SCHEMAS = ${JSON.stringify(printed, null, 2)} as const;\n`,
  ).toMatchFileSnapshot('result-schemas.ts');
  expect(TOOL_RESULT_SCHEMAS).toEqual(printed);
  expect(Object.keys(printed)).toEqual(BUILTIN_TOOL_NAMES);
});

/** Newer tools may add members. */
function print(schema: z.ZodMiniType): Readonly<Record<string, unknown>> {
  const { $schema: _dialect, ...printed } = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.properties !== undefined) delete jsonSchema.additionalProperties;
    },
  });
  return printed;
}

const shell = { stdout: '', stderr: '', exitCode: 0, interrupted: false, timedOut: false, truncated: false };

test.each([
  ['run_shell_command', 'Bash', shell, true],
  ['run_shell_command', 'run_shell_command', { ...shell, exitCode: null, signal: 'SIGKILL', later: 1 }, true],
  ['run_shell_command', 'Bash', { ...shell, exitCode: '0' }, false],
  ['run_shell_command', 'Read', shell, false],
  ['run_shell_command', 'mcp__x__bash', shell, false],
  ['run_shell_command', 'Bash', undefined, false],
  ['run_shell_command', 'Bash', 'Error: no', false],
  ['read_file', 'Read', { type: 'image', file: { filePath: '/a', type: 'image/png', originalSize: 7 } }, true],
  ['read_file', 'Read', { type: 'pdf', file: {} }, false],
  ['todo_write', 'TodoWrite', { newTodos: [{ id: '1', content: 'x', status: 'soon' }] }, false],
  ['task', 'Task', { status: 'completed' }, false],
] as const)('result of %s in a call of %s: %j', (tool, name, result, isOne) => {
  expect(toolResultOf(tool, { name, result })).toBe(isOne ? result : undefined);
});

test('the name of the tool selects the type of its result', () => {
  expectTypeOf<ToolResultOf<'run_shell_command'>['exitCode']>().toEqualTypeOf<number | null>();
  expectTypeOf<ToolResultOf<'todo_write'>['newTodos'][number]['status']>().toEqualTypeOf<
    'pending' | 'in_progress' | 'completed'
  >();
  expectTypeOf<ToolResultOf<'write_file'>['type']>().toEqualTypeOf<'create' | 'update'>();
  expectTypeOf<ToolResultOf<'edit'>['structuredPatch'][number]['lines']>().toEqualTypeOf<string[]>();
  const read = toolResultOf('read_file', { name: 'Read', result: {} });
  if (read?.type === 'text') expectTypeOf(read.file.totalLines).toEqualTypeOf<number | undefined>();
  if (read?.type === 'image') expectTypeOf(read.file.originalSize).toEqualTypeOf<number>();
  // @ts-expect-error -- no tool has this name.
  expect(toolResultOf('bash', { name: 'Bash', result: shell })).toBeUndefined();
});
