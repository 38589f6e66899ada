import type { HookInput } from '@qwen/protocol';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { toCommandHooks } from './command-hook.js';

const INPUT: HookInput = {
  hook_event_name: 'UserPromptSubmit',
  session_id: 's',
  transcript_path: '',
  cwd: '/',
  permission_mode: 'default',
  prompt: 'Größe "quoted" 😀',
};

interface Asking {
  readonly event?: string;
  readonly timeout?: number;
  readonly environment?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly keep?: readonly string[];
}

/** What the command answers, as one hook of this event. */
async function ask(command: string, asking: Asking = {}) {
  await using folder = await temporaryFolder();
  const {
    event = 'UserPromptSubmit',
    timeout = 10,
    environment = {},
    keep = [],
    signal = new AbortController().signal,
  } = asking;
  const [hook] = toCommandHooks(
    { event, group: { hooks: [{ type: 'command', command, timeout }] }, origin: 'user', path: '/settings.json' },
    { cwd: folder.path, environment: { PATH: process.env['PATH'], ...environment }, keep },
  );
  return await hook?.ask(INPUT, { signal });
}

const context = (additionalContext: string) => ({ hookSpecificOutput: { additionalContext } });

test('reads its input as JSON and receives the project folder', async () => {
  verifies('GAP-49');
  expect(await ask('cat; [ "$QWEN_PROJECT_DIR" = "$PWD" ] && [ "$CLAUDE_PROJECT_DIR" = "$PWD" ]')).toMatchObject(INPUT);
});

describe('exit code 0', () => {
  test.each([
    [
      'an object is its answer',
      'Stop',
      `echo '{"decision":"block","reason":"More."}'`,
      { decision: 'block', reason: 'More.' },
    ],
    ['nothing says nothing', 'PreToolUse', 'true', {}],
    ['text is context for a prompt', 'UserPromptSubmit', 'echo Be brief.', context('Be brief.')],
    ['text is context for a session', 'SessionStart', 'echo Be brief.', context('Be brief.')],
    ['text says nothing elsewhere', 'PreToolUse', 'echo fine', {}],
    ['stderr says nothing', 'UserPromptSubmit', 'echo noise >&2', {}],
  ])('%s', async (_what, event, command, output) => {
    expect(await ask(command, { event })).toEqual(output);
  });
});

test.each(['{"decision":"block"}', '{\n  "hookSpecificOutput": {"permissionDecision": "deny"}}'])(
  'a decision after other text is an error, not lost: %s',
  async (answer) => {
    for (const event of ['PreToolUse', 'UserPromptSubmit', 'Stop']) {
      await expect(ask(`echo "Loading nvm."; cat <<'E'\n${answer}\nE`, { event })).rejects.toMatchObject({
        code: 'hook_failed',
        message: expect.stringContaining('other text before its JSON'),
      });
    }
  },
);

test('exit code 2 blocks, with stderr as the reason', async () => {
  verifies('GAP-49');
  expect(await ask('echo ignored; echo "Not here." >&2; exit 2', { event: 'PreToolUse' })).toEqual({
    decision: 'block',
    reason: 'Not here.\n',
  });
});

describe('is a failure', () => {
  test.each([
    ['another exit code', 'echo broken >&2; exit 1', /exit code 1\. broken/],
    ['a signal', 'kill -KILL $$', /signal SIGKILL/],
    ['a program that is missing', 'no-such-program', /exit code 127/],
    ['half an object', `echo '{"decision":'`, /invalid JSON/],
    ['an object of another shape', `echo '{"decision":"perhaps"}'`, /hook output\.decision/],
    [
      'a decision for many tools',
      `echo '{"hookSpecificOutput":[{"permissionDecision":"allow"}]}'`,
      /hookSpecificOutput/,
    ],
    ['a flood', `printf '{'; head -c 3000000 /dev/zero | tr '\\0' ' '; printf '}'`, /more than 1048576 bytes/],
  ])('%s', async (_what, command, message) => {
    verifies('FB5', 'S89');
    await expect(ask(command)).rejects.toMatchObject({ code: 'hook_failed', message: expect.stringMatching(message) });
  });

  test('a timeout', async () => {
    verifies('FB5');
    await expect(ask('sleep 1000', { timeout: 0.05 })).rejects.toMatchObject({ message: 'it took longer than 0.05 s' });
  });

  test('a withdrawal', async () => {
    const turn = new AbortController();
    const asked = ask('sleep 1000', { signal: turn.signal });
    turn.abort();
    await expect(asked).rejects.toMatchObject({ message: 'it was cancelled' });
  });
});

test('blocking has an effect only for events that can be blocked', async () => {
  await expect(ask('exit 2', { event: 'Notification' })).rejects.toMatchObject({ code: 'hook_failed' });
});

test('receives no secrets', async () => {
  verifies('S108');
  expect(await ask('echo "[$OPENAI_API_KEY]"', { environment: { OPENAI_API_KEY: 'sk-secret' } })).toEqual(
    context('[]'),
  );
  const environment = {
    PGPASSWORD: 'p',
    SECRET_KEY_BASE: 's',
    DATABASE_URL: 'postgres://me:secret@host/db',
    HARMLESS: 'ghp_0123456789012345678901234567890123456789',
    PLAIN: 'kept',
  };
  const command = 'echo "[$PGPASSWORD$SECRET_KEY_BASE$DATABASE_URL$HARMLESS$PLAIN]"';
  expect(await ask(command, { environment })).toEqual(context('[kept]'));
  expect(await ask(command, { environment, keep: ['PGPASSWORD'] })).toEqual(context('[pkept]'));
});
