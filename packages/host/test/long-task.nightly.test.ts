import { type AgentEvent, AgentSession } from '@qwen/agent';
import { createModel, type ModelClock } from '@qwen/models';
import { createFakeClock, temporaryFolder } from '@qwen/testkit';
import { builtinTools, createPathResolver } from '@qwen/tools';
import { expect, test } from 'vitest';
import { type Call, FAULTS, FLAWS, OVERFLOW, startTaskModel } from './mediocre-model.js';

const PARTS = 50;
/** The delays of 40 minutes pass in half a minute. */
const SPEED = 100;

const clock: ModelClock = {
  wallMs: () => Date.now(),
  random: () => 0.5,
  startTimer(ms, callback) {
    const timeout = setTimeout(callback, ms / SPEED);
    return () => clearTimeout(timeout);
  },
};

const sourceOf = (part: number, value: string) =>
  `export function part${part}() {\n  const found = read(${part});\n  if (found) {\n    return ${value};\n  }\n}\n${'// filler\n'.repeat(150)}`;
const valueOf = (part: number) => `${(part + 1) * 7919}`;

test('a mediocre model at a flaky provider completes a task of 50 parts', { timeout: 300_000 }, async () => {
  await using folder = await temporaryFolder();
  const requirements = Array.from(
    { length: PARTS },
    (_, part) => `Part ${part}: part${part}() returns ${valueOf(part)}.`,
  );
  await folder.write('log.txt', '');
  for (let part = 0; part < PARTS; part += 1) await folder.write(`part-${part}.js`, sourceOf(part, 'undefined'));
  const seenParts = new Set<number>();
  /** Reads, edits and logs each part; decides by what the folder contains. */
  const nextCall = async (): Promise<Call | undefined> => {
    const logged = (await folder.read('log.txt')).split('\n').filter(Boolean);
    const part = Array.from({ length: PARTS }, (_, index) => index).find((index) => !logged.includes(`${index}`));
    if (part === undefined) return undefined;
    const file = `part-${part}.js`;
    if (!seenParts.has(part)) {
      seenParts.add(part);
      return { name: 'read_file', input: { file_path: file } };
    }
    if ((await folder.read(file)).includes(valueOf(part))) {
      return { name: 'run_shell_command', input: { command: `echo ${part} >> log.txt`, description: 'log' } };
    }
    // Without the indentation of the file.
    const old_string = 'if (found) {\n  return undefined;\n}\n';
    return {
      name: 'edit',
      input: { file_path: file, old_string, new_string: old_string.replace('undefined', valueOf(part)) },
    };
  };
  await using model = await startTaskModel(nextCall);
  const session = new AgentSession({
    sessionId: '6b0d34d6-5c1f-4a52-8b0f-6b1c1f6c0a12',
    cwd: folder.path,
    model: 'mediocre',
    createModel: () => createModel({ family: 'openai-compatible', baseUrl: model.url, apiKey: 'key', clock }),
    tools: builtinTools(),
    systemPrompt: '',
    permissions: { ask: async () => ({ behavior: 'deny', message: 'No one is here.' }) },
    permissionMode: 'yolo',
    rules: { allow: [], ask: [], deny: [] },
    paths: createPathResolver({ roots: [folder.path] }),
    log: { append: async () => {}, close: async () => {} },
    clock: createFakeClock(),
    contextWindow: 32_000,
  });
  session.submit({ uuid: 'prompt-1', content: ['Do each part and log it once.', ...requirements].join('\n') });
  session.endInput();
  const events: AgentEvent[] = [];
  for await (const event of session.events()) events.push(event);

  const ends = events.flatMap((event) => (event.type === 'turn_end' ? [event.outcome] : []));
  expect(ends).toMatchObject([{ type: 'success', text: 'All parts are done.' }]);
  for (let part = 0; part < PARTS; part += 1) {
    expect(await folder.read(`part-${part}.js`)).toBe(sourceOf(part, valueOf(part)));
  }
  // No command ran twice.
  expect(await folder.read('log.txt')).toBe(Array.from({ length: PARTS }, (_, part) => `${part}\n`).join(''));
  expect(model.seen.get(OVERFLOW.name)).toBeGreaterThan(0);
  const names = [...FAULTS, ...FLAWS].map(({ name }) => name);
  expect(names.filter((name) => (model.seen.get(name) ?? 0) < 10)).toEqual([]);
  expect(events.filter(({ type }) => type === 'compacted').length).toBeGreaterThanOrEqual(3);
  const last = model.lastRequest();
  expect(requirements.filter((line) => !last.includes(line))).toEqual([]);
});
