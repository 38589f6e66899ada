import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { openAcpFixture } from '@qwen/cli/test/acp/acp-fixture.js';
import { openCliFixture } from '@qwen/cli/test/cli-fixture.js';
import { query } from '@qwen/sdk';
import { calls, hasPrograms, says, temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { startServe } from './server/serve-client.js';

const isLinux = process.platform === 'linux';
const shell = (command: string) => calls({ name: 'run_shell_command', input: { command } });
const ended = ({ type }: { readonly type: string }) => type === 'turn.ended';

test.runIf(isLinux && hasPrograms('bwrap'))('qwen serve --sandbox confines all sessions', async () => {
  await using fixture = await openCliFixture([shell('echo made > made; echo x > ../escaped'), says('done')]);
  const { post, say, follow } = await startServe(fixture, ['--sandbox', 'workspace-write']);
  const refused = await post('/api/session', { sandbox: 'off' });
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('looser than workspace-write')]);
  const { sessionId } = await say(undefined, 'go');
  const events = await follow(sessionId, ended);
  expect(events).toContainEqual(expect.objectContaining({ type: 'session.sandbox', sandbox: 'workspace-write' }));
  expect(await fixture.workspace.read('served/made')).toBe('made\n');
  expect(existsSync(fixture.workspace.resolve('escaped'))).toBe(false);
});

/** What Ubuntu 24.04 reports for a bubblewrap without a profile. */
const RESTRICTED = `#!/bin/sh
[ "$1" = --version ] && { echo bubblewrap 0.9.0; exit 0; }
echo 'bwrap: setting up uid map: Permission denied' >&2
exit 1
`;

test.runIf(isLinux)('a required sandbox that Ubuntu restricts fails the first prompt of each host', async () => {
  verifies('S116');
  await using folder = await temporaryFolder();
  await chmod(await folder.write('bwrap', RESTRICTED), 0o755);
  const PATH = `${folder.path}:${process.env['PATH']}`;
  const fix = expect.stringContaining('apparmor_parser -r /etc/apparmor.d/bwrap');
  await using fixture = await openAcpFixture([shell('touch ran'), says('done')]);
  const env = { ...fixture.env, PATH };
  await fixture.workspace.write('served/README.md', '');
  const cwd = fixture.workspace.resolve('served');

  const messages = [];
  const options = { cwd, env, sandbox: 'workspace-write', permissionMode: 'yolo' } as const;
  for await (const message of query({ prompt: 'go', options })) messages.push(message);
  expect(messages).toEqual([
    expect.objectContaining({ subtype: 'init', sandbox: 'unavailable' }),
    expect.objectContaining({
      is_error: true,
      error: expect.objectContaining({ code: 'sandbox_unavailable', message: fix }),
    }),
  ]);

  const serve = { ...fixture, start: (args: readonly string[]) => fixture.start(args, { env }) };
  const { say, follow } = await startServe(serve, ['--sandbox', 'workspace-write', '--approval-mode', 'yolo']);
  const { sessionId } = await say(undefined, 'go');
  expect((await follow(sessionId, ended)).at(-1)).toMatchObject({ outcome: 'error', error: { message: fix } });

  const settings = { sandbox: { enabled: true, failIfUnavailable: true } };
  await fixture.workspace.write('home/.qwen/settings.json', JSON.stringify(settings));
  const editor = await fixture.open({ args: ['--acp', '--yolo'], env: { PATH } });
  const session = await editor.newSession(cwd);
  await expect(editor.prompt(session, 'go')).rejects.toMatchObject({ message: fix });
  expect(fixture.model.requests).toEqual([]);
  expect(existsSync(`${cwd}/ran`)).toBe(false);
});
