// Records the session in the README: the built program in a real terminal, with a scripted model. Usage: pnpm
// --filter @qwen/build record
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { calls, isolatedEnvironment, says, startScriptedModel } from '@qwen/testkit';
import { RecordedTerminal } from './recording/recorded-terminal.ts';
import { toSvg } from './recording/to-svg.ts';

const SIZE = { columns: 88, rows: 30 };
const PICTURE = fileURLToPath(new URL('../../docs/images/first-session.svg', import.meta.url));
const BIN = fileURLToPath(new URL('../../packages/cli/bin/qwen.js', import.meta.url));

// Shown in the picture.
const cwd = join(tmpdir(), 'coffee-bar');
const home = await mkdtemp(join(tmpdir(), 'qwen-recording-'));
await mkdir(cwd);
await writeFile(
  join(cwd, 'price.js'),
  ['export function price(cup, count) {', '  return cup.price * count;', '}', ''].join('\n'),
);

await using model = await startScriptedModel(
  [
    calls({ name: 'read_file', input: { file_path: 'price.js' } }),
    calls({
      name: 'edit',
      input: {
        file_path: 'price.js',
        old_string: '  return cup.price * count;',
        new_string: '  const sum = cup.price * count;\n  return count >= 10 ? sum * 0.9 : sum;',
      },
    }),
    says(
      [
        '**Ten or more cups** now cost ten percent less:\n\n',
        '```js\nprice({ price: 2.4 }, 10); // 21.6\n```\n\n',
        'The price of fewer cups is unchanged.',
      ].join(''),
    ),
  ],
  { tokensPerSecond: 30 },
);

const terminal = new RecordedTerminal({
  command: [process.execPath, BIN],
  cwd,
  env: isolatedEnvironment(home, { ...model.env, COLORTERM: 'truecolor', TERM: 'xterm-256color', QWEN_SANDBOX: 'off' }),
  ...SIZE,
});
await terminal.read('Type a prompt', 900);
await terminal.type('Ten cups or more: 10% off. See @pri');
await terminal.read('price.js', 900);
terminal.press('\t');
await terminal.read('@price.js', 700);
terminal.press('\r');
await terminal.read('Edit this file?', 2_300);
terminal.press('1');
await terminal.read('The price of fewer cups', 1_200);
await terminal.read('Type a prompt', 2_400);
const frames = await terminal.end();

await mkdir(join(PICTURE, '..'), { recursive: true });
await writeFile(PICTURE, toSvg(frames, { ...SIZE, title: 'qwen asks before it edits a file' }));
for (const folder of [cwd, home]) await rm(folder, { recursive: true, force: true });
process.stdout.write(`${PICTURE}: ${frames.length} frames\n`);
// The pty library keeps a handle open.
process.exit(0);
