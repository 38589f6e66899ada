import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript5';
import { expect, test } from 'vitest';

const APPS = fileURLToPath(new URL('apps', import.meta.url));
const SDK = fileURLToPath(new URL('../../../packages/sdk/src/claude', import.meta.url));

test('whole apps compile with the types of @qwen/sdk/claude', { timeout: 120_000 }, async () => {
  const files = (await readdir(APPS)).map((name) => `${APPS}/${name}`);
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ESNext,
    customConditions: ['@qwen/source'],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: ['node'],
    paths: {
      '@anthropic-ai/claude-agent-sdk': [`${SDK}/index.ts`],
      '@anthropic-ai/claude-agent-sdk/sdk-tools': [`${SDK}/sdk-tools/index.ts`],
    },
  });
  const problems = ts.getPreEmitDiagnostics(program).map(({ messageText, file, start = 0 }) => {
    const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1;
    return `${file?.fileName}:${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
  expect(problems).toEqual([]);
  expect(files.length).toBeGreaterThan(10);
});
