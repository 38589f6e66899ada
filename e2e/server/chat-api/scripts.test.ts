import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hasPrograms, lastText, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openServeFixture } from '../serve-fixture.ts';

// The shell scripts of the document, run by bash and curl against a real `qwen serve`.

const textOf = (name: string): string => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8');

/** The events in the output of curl, by the one rule of the document: lines that begin with `data: `. */
function eventsIn(output: string): readonly Record<string, unknown>[] {
  const lines = output.split('\n').filter((line) => line.startsWith('data: '));
  return lines.map((line) => Object(JSON.parse(line.slice(6))));
}

const contentIn = (output: string): string =>
  eventsIn(output)
    .map((event) => (event['type'] === 'Content' ? String(event['value']) : ''))
    .join('');

/** The JSON answers among what a script printed. */
function answersIn(output: string): readonly Record<string, unknown>[] {
  return [...output.matchAll(/\{"(?:success|history|sessionId|error)".*?\}(?=\{|$|\n)/g)].map(([text]) =>
    Object(JSON.parse(text)),
  );
}

test.runIf(hasPrograms('curl', 'jq'))('the complete example runs from start to end, to the letter', async () => {
  verifies('Q-15', 'Q-77', 'Q-01', 'Q-02', 'Q-03', 'Q-05', 'Q-13', 'CF-59', 'GAP-61', 'GAP-60');
  await using fixture = await openServeFixture({ replies: [says('你好！我是一个编程助手。')] });
  const isOurs = !existsSync('/tmp/test');
  mkdirSync('/tmp/test', { recursive: true });
  const hadReadme = existsSync('/tmp/test/README.md');
  if (!hadReadme) writeFileSync('/tmp/test/README.md', '# Test\n');
  try {
    const { stdout, code } = await fixture.runScript(textOf('004-command-full-example.sh'));
    expect(code).toBe(0);
    const sessionId = /^Created session: ([\da-f-]{36})$/m.exec(stdout)?.[1];
    expect(sessionId).toBeDefined();
    expect(eventsIn(stdout)[0]).toMatchObject({ type: 'connected', sessionId });
    expect(contentIn(stdout)).toBe('你好！我是一个编程助手。');
    expect(lastText(fixture.model.requests[0] ?? { messages: [], model: '' })).toBe('你好，请介绍一下你自己');
    const [file, history, deleted] = answersIn(stdout);
    expect(file).toMatchObject({
      success: true,
      path: 'README.md',
      content: readFileSync('/tmp/test/README.md', 'utf8'),
    });
    expect(history).toMatchObject({
      history: [
        { id: 1, type: 'user', content: '你好，请介绍一下你自己' },
        { id: 2, type: 'assistant', content: '你好！我是一个编程助手。' },
      ],
      total: 2,
      limit: 10,
      offset: 0,
    });
    expect(deleted).toEqual({ success: true });
    expect((await fixture.post('/api/session/get', { sessionId })).status).toBe(404);
  } finally {
    if (isOurs) rmSync('/tmp/test', { recursive: true });
    else if (!hadReadme) rmSync('/tmp/test/README.md');
  }
});

test.runIf(hasPrograms('curl', 'jq'))('the three scenarios run, in a project of ours', async () => {
  verifies('Q-16', 'Q-87', 'Q-88', 'Q-106', 'Q-102');
  await using fixture = await openServeFixture({
    replies: [says('Looks fine.'), says('Reviewed.'), says('Covered.')],
  });
  const { workspace, model } = fixture;
  await workspace.write('src/index.ts', 'export const one = 1;\n');
  await workspace.write('src/deep/app.ts', 'export const two = 2;\n');
  await workspace.write('test/deep/app.test.ts', 'test("two", () => {});\n');
  // The path is a placeholder of the document; everything else is unchanged.
  const scenario = (name: string) => textOf(name).replaceAll('/path/to/project', workspace.path);
  const all = [
    scenario('004-command-scenario-1-code-review.sh'),
    scenario('004-command-scenario-2-custom-command.sh'),
    scenario('004-command-scenario-3-batch-glob.sh'),
  ].join('\n');
  const { stdout, code } = await fixture.runScript(all);
  expect(code).toBe(0);
  expect(contentIn(stdout)).toBe('Looks fine.Covered.');
  expect(eventsIn(stdout)).toContainEqual({
    type: 'file_references',
    files: [
      { path: 'src/deep/app.ts', size: 22 },
      { path: 'src/index.ts', size: 22 },
    ],
    timestamp: expect.any(Number),
  });
  expect(eventsIn(stdout)).toContainEqual(
    expect.objectContaining({ type: 'file_references', files: [{ path: 'test/deep/app.test.ts', size: 23 }] }),
  );
  expect(stdout).toContain('"command":"review","prompt":"Please review the following code:');
  expect(stdout).toContain('"output":"Reviewed."');
  expect(lastText(model.requests[1] ?? { messages: [], model: '' })).toMatch(
    /^Please review the following code:\n\n[^]*export const one = 1;[^]*Focus on:\n- Code quality\n/,
  );
});

test('the JavaScript client prints events as they arrive', async () => {
  verifies('Q-57', 'Q-58', 'CF-61');
  await using fixture = await openServeFixture({ replies: [says('Streaming works.')], tokensPerSecond: 40 });
  const client = textOf('004-client-chat-stream.js').replace('http://localhost:3000', fixture.url);
  const { stdout, stderr } = await fixture.runScript(`node --input-type=module - <<'CLIENT'\n${client}\nCLIENT\n`);
  expect(stderr).toBe('');
  expect(stdout).toContain("type: 'connected'");
  expect(stdout).toContain("type: 'stream_end'");
  expect(stdout).toMatch(/Stream完成\n$/);
});
