import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { calls, hasPrograms, says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { BIN } from '../cli-fixture.js';
import { openTerminal, READY } from './terminal-fixture.js';

const canRun = process.platform === 'linux' && hasPrograms('bwrap');
const shell = (command: string) => calls({ name: 'run_shell_command', input: { command } });
const COMMAND = 'grep NoNewPrivs /proc/self/status; touch made; touch /etc/qwen-terminal-test';

test.runIf(canRun)('commands run in the sandbox without a question by default', async () => {
  await using terminal = await openTerminal({ sandbox: 'default', model: [shell(COMMAND), says('All done.')] });
  await terminal.until(READY);
  await terminal.send(`!${COMMAND}`);
  await terminal.until((shown) => /NoNewPrivs:\s+1/.test(shown) && shown.includes(READY));
  await terminal.send('go');
  await terminal.untilPrinted('All done.');
  await terminal.until('sandbox: workspace-write');
  expect(JSON.stringify(terminal.model.requests.at(-1))).toMatch(/NoNewPrivs:\\*t1/);
  expect(existsSync(terminal.workspace.resolve('project/made'))).toBe(true);
  expect(existsSync('/etc/qwen-terminal-test')).toBe(false);
});

test.runIf(canRun)('settings switch the default off', async () => {
  await using terminal = await openTerminal({
    sandbox: 'default',
    model: [shell(COMMAND)],
    prepare: async (workspace) => {
      await workspace.write('home/.qwen/settings.json', JSON.stringify({ sandbox: { enabled: false } }));
    },
  });
  await terminal.until(READY);
  await terminal.send('go');
  expect(await terminal.until('Run this command?')).toContain(COMMAND.slice(0, 20));
});

const BROKEN = `#!/bin/sh
[ "$1" = --version ] && { echo bubblewrap 0.9.0; exit 0; }
echo 'bwrap: setting up uid map: Permission denied' >&2
exit 1
`;

test.runIf(process.platform === 'linux')(
  'if it does not work, the fix is shown and commands are asked about',
  async () => {
    await using terminal = await openTerminal({
      sandbox: 'default',
      command: ['/bin/sh', '-c', `PATH="$(cd ../bin && pwd):$PATH" exec ${process.execPath} ${BIN}`],
      model: [shell(COMMAND)],
      prepare: async (workspace) => {
        await chmod(await workspace.write('bin/bwrap', BROKEN), 0o755);
      },
    });
    await terminal.until(READY);
    await terminal.send('go');
    await terminal.untilPrinted('apparmor_parser');
    expect(await terminal.until('Run this command?')).toContain(COMMAND.slice(0, 20));
  },
);
