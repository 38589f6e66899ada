import { fileURLToPath } from 'node:url';
import { says, startLineProcess, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { CLI, openFixture } from '../spine/fixture.ts';

const DIST = fileURLToPath(import.meta.resolve('@qwen/sdk')).replace('/src/index.ts', '/dist');
const OTEL = JSON.stringify(fileURLToPath(import.meta.resolve('@opentelemetry/sdk-trace-node')));

/** An app with the built SDK that runs one query and prints how many files of OpenTelemetry were loaded for it. */
const app = (before: string) => `
  import { createRequire } from 'node:module';
  ${before}
  import { query } from ${JSON.stringify(`${DIST}/index.js`)};
  const { cache } = createRequire(import.meta.url);
  const loaded = () => Object.keys(cache).filter((file) => file.includes('opentelemetry')).length;
  const before = loaded();
  const running = query({ prompt: 'Hi', options: { pathToQwenExecutable: process.env.CLI, cwd: process.env.FOLDER } });
  for await (const message of running) if (message.type === 'result') console.log(message.result);
  console.log('loaded by the query: ' + (loaded() - before));
`;

async function run(script: string) {
  await using fixture = await openFixture([says('Hello')]);
  await using program = await startLineProcess({
    command: process.execPath,
    args: [await fixture.workspace.write('app.mjs', script)],
    env: { ...fixture.env, CLI, FOLDER: fixture.workspace.path },
    cwd: fixture.workspace.path,
  });
  expect(await program.exited).toMatchObject({ code: 0 });
  return program.lines.map(({ text }) => text);
}

test.each([
  ['knows nothing of OpenTelemetry', ''],
  ['has it and registered nothing', `import ${OTEL};`],
])('in an app that %s the SDK loads no part of it', async (_what, before) => {
  verifies('GAP-55');
  expect(await run(app(before))).toEqual(['Hello', 'loaded by the query: 0']);
});

const MAKE_QUERY = {
  'an ES module': `import { query } from ${JSON.stringify(`${DIST}/index.js`)};`,
  CommonJS: `const { query } = createRequire(import.meta.url)(${JSON.stringify(`${DIST}/cjs/index.js`)});`,
};

test.each(Object.entries(MAKE_QUERY))(
  'in an app with tracing, the built SDK emits spans, as %s',
  async (_form, load) => {
    const said = await run(`
    import { createRequire } from 'node:module';
    import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from ${OTEL};
    ${load}
    const exporter = new InMemorySpanExporter();
    new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
    const running = query({ prompt: 'Hi', options: { pathToQwenExecutable: process.env.CLI, cwd: process.env.FOLDER } });
    for await (const message of running) if (message.type === 'result') console.log(message.result);
    for (const { name, attributes } of exporter.getFinishedSpans()) console.log(name, attributes['qwen.query.outcome']);
  `);
    expect(said).toEqual(['Hello', 'control initialize undefined', 'qwen.query finished']);
  },
);
