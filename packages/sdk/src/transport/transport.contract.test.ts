import type { DecodedLine } from '@qwen/protocol';
import { resourceBaseline, verifies } from '@qwen/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { program } from '../../test/programs.js';
import { injectFaults, type Script, scriptedCli } from '../testing/index.js';
import { childEnvironment } from './create-transport.js';
import { ProcessTransport } from './process/process-transport.js';
import type { Transport } from './transport.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

const echo: Script = ({ says, prompt }) => says(prompt);
const createProcess = (): Transport =>
  new ProcessTransport({ command: process.execPath, args: [program('echoes')], env: childEnvironment() });

/** Every way to reach a CLI that repeats its prompts; what holds for one holds for all (O-25). */
const TRANSPORTS: Record<string, () => Transport> = {
  'a child process': createProcess,
  'a scripted CLI': () => scriptedCli(echo).transport,
  'a transport with faults that do no harm': () => injectFaults(createProcess(), { pieceBytes: 1 }),
};

const INITIALIZE = `${JSON.stringify({ type: 'control_request', request_id: '1', request: { subtype: 'initialize' } })}\n`;
const say = (content: string): string => `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`;

/** The texts that the CLI answered, in order. */
function textsOf(lines: readonly DecodedLine[]): string[] {
  return lines.flatMap((line) =>
    line.ok && line.text.includes('"assistant"') ? (/"text":"(.*?)"/.exec(line.text)?.[1] ?? []) : [],
  );
}

describe.each(Object.entries(TRANSPORTS))('%s', (_name, create) => {
  test('carries lines in order both ways and exits when its input ends', async () => {
    verifies('O-25', 'O-16', 'O-20');
    const transport = create();
    const lines: DecodedLine[] = [];
    await transport.start((line) => lines.push(line));
    const prompts = Array.from({ length: 20 }, (_, index) => `prompt ${index}`);
    await Promise.all([INITIALIZE, ...prompts.map(say)].map((line) => transport.send(line)));
    transport.endInput();
    expect(await transport.closed).toMatchObject({ exitCode: 0, signal: null });
    expect(textsOf(lines)).toEqual(prompts);
  });

  test('rejects lines after its end, closes idempotently, and has one exit status', async () => {
    verifies('O-17', 'O-22');
    const transport = create();
    await transport.start(() => undefined);
    await transport.send(INITIALIZE);
    await Promise.all([transport.close({ graceMs: 1_000 }), transport.close()]);
    await transport.close();
    await expect(transport.send(say('too late'))).rejects.toMatchObject({ code: 'channel_closed' });
    expect(await transport.closed).toBe(await transport.closed);
    expect(() => transport.endInput()).not.toThrow();
  });

  test('can be closed before it starts', async () => {
    const transport = create();
    await transport.close();
    expect(await transport.closed).toMatchObject({ signal: null });
  });

  test('emits no line from inside send', async () => {
    verifies('T2');
    const transport = create();
    let isSending = false;
    const reentered: boolean[] = [];
    await transport.start(() => reentered.push(isSending));
    isSending = true;
    const sent = [transport.send(INITIALIZE), transport.send(say('hello'))];
    isSending = false;
    await Promise.all(sent);
    transport.endInput();
    await transport.closed;
    expect(reentered.length).toBeGreaterThan(1);
    expect(reentered).not.toContain(true);
  });
});
