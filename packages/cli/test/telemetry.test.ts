import { says, startByteServer, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openCliFixture, prompt, RESULT } from './cli-fixture.js';

/** Says at the end which files of the program were loaded. */
const SPY = `
const fs = process.getBuiltinModule('node:fs');
const { readFileSync } = fs;
const loaded = new Set();
fs.readFileSync = (path, ...args) => {
  if (String(path).endsWith('.cjs')) loaded.add(String(path).split('/').at(-1).replace(/-\\w+\\.cjs$|\\.cjs$/, ''));
  return readFileSync(path, ...args);
};
process.on('exit', () => process.stderr.write('loaded: ' + [...loaded].join(' ') + '\\n'));
`;

test.each([
  { wish: {}, loads: false },
  { wish: { QWEN_TELEMETRY: '0' }, loads: false },
  { wish: { QWEN_TELEMETRY: '1' }, loads: true },
])('with an endpoint for others and $wish, telemetry is loaded: $loads', async ({ wish, loads }) => {
  verifies('GAP-55', 'S112');
  await using collector = await startByteServer([{ status: 200, chunks: ['{}'] }]);
  await using fixture = await openCliFixture([says('Hello')]);
  const agent = await fixture.startMachine([], {
    env: {
      ...fixture.env,
      ...wish,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(SPY)}`,
    },
  });
  agent.send(prompt('Hi'));
  agent.endInput();
  expect(await agent.next(RESULT)).toMatchObject({ result: 'Hello' });
  await agent.exited;
  const [, files = ''] = /^loaded: (.*)$/m.exec(agent.stderr) ?? [];
  expect(files).toContain('turn');
  expect(files.includes('telemetry')).toBe(loads);
  expect(collector.connectionCount > 0).toBe(loads);
});
