import { BUILTIN_TOOL_NAMES, type BuiltinToolName, TOOL_INPUT_SCHEMAS } from '@qwen/protocol';
import { expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { printInputSchema } from '../test/print-input-schema.js';
import { askUserInput } from './conversation/ask-user-tool.js';
import { exitPlanInput } from './conversation/exit-plan-tool.js';
import { skillInput } from './conversation/skill-tool.js';
import { todoInput } from './conversation/todo-tool.js';
import { editInput } from './files/edit-tool.js';
import { listInput } from './files/list-tool.js';
import { readManyInput } from './files/read-many-tool.js';
import { readInput } from './files/read-tool.js';
import { writeInput } from './files/write-tool.js';
import { globInput } from './search/glob-tool.js';
import { grepInput } from './search/grep-tool.js';
import { shellInput } from './shell/shell-tool.js';
import { taskOutputInput } from './shell/task-output-tool.js';
import { taskStopInput } from './shell/task-stop-tool.js';
import { webFetchInput } from './web/web-fetch-tool.js';
import { webSearchInput } from './web/web-search-tool.js';

const INPUTS: Readonly<Record<Exclude<BuiltinToolName, 'task'>, z.ZodMiniType>> = {
  read_file: readInput,
  read_many_files: readManyInput,
  write_file: writeInput,
  edit: editInput,
  list_directory: listInput,
  glob: globInput,
  grep_search: grepInput,
  run_shell_command: shellInput,
  task_output: taskOutputInput,
  task_stop: taskStopInput,
  web_fetch: webFetchInput,
  web_search: webSearchInput,
  todo_write: todoInput,
  ask_user_question: askUserInput,
  exit_plan_mode: exitPlanInput,
  skill: skillInput,
};

const HEADER = `// Printed: \`vitest run packages/tools/src/input-schemas.test.ts -u\`; do not edit.
// Printing them takes a process longer than reading them, and most processes call few tools.

`;

test('the schemas that the model sees match those that parse its input', async () => {
  const printed = Object.fromEntries(Object.entries(INPUTS).map(([name, input]) => [name, printInputSchema(input)]));
  const text = `${HEADER}export const INPUT_SCHEMAS = ${JSON.stringify(printed, null, 2)} as const;

/** The tools whose schema is printed here. */
export type PrintedToolName = keyof typeof INPUT_SCHEMAS;
`;
  await expect(text).toMatchFileSnapshot('../../protocol/src/tools/input-schemas.ts');
  expect(TOOL_INPUT_SCHEMAS).toEqual(printed);
  expect(Object.keys(printed)).toEqual(BUILTIN_TOOL_NAMES.filter((name) => name !== 'task'));
});
