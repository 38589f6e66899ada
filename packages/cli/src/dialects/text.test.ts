import type { AgentEvent, ToolDisplay, TurnOutcome } from '@qwen/agent';
import { AgentError, NO_USAGE } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { createText } from './text.js';

const MAIN = { messageId: 'm', parentToolUseId: null };

const delta = (text: string, kind: 'text' | 'thinking' = 'text'): AgentEvent => ({
  type: 'block_delta',
  index: 0,
  kind,
  text,
  ...MAIN,
});

const messageEnd: AgentEvent = {
  type: 'message_end',
  model: 'm',
  content: [],
  stopReason: 'end_turn',
  usage: NO_USAGE,
  ...MAIN,
};

const turnEnd = (outcome: TurnOutcome): AgentEvent => ({
  type: 'turn_end',
  turnId: 't',
  outcome,
  durationMs: 1,
  durationApiMs: 1,
  modelCalls: 1,
  usage: NO_USAGE,
  permissionDenials: [],
});

function show(...events: readonly AgentEvent[]): { stdout: string; stderr: string } {
  const toPieces = createText();
  const shown = { stdout: '', stderr: '' };
  for (const { to, text } of events.flatMap((event) => toPieces(event))) shown[to] += text;
  return shown;
}

test('answers go to stdout, thoughts do not; each answer ends its line', () => {
  expect(
    show(delta('hm', 'thinking'), delta('Hel'), delta('lo'), messageEnd, turnEnd({ type: 'success', text: 'Hello' })),
  ).toEqual({ stdout: 'Hello\n', stderr: '' });
  expect(show(delta('done\n'), delta(''), messageEnd)).toEqual({ stdout: 'done\n', stderr: '' });
});

test('an answer that is discarded streams to a screen, but is never part of piped output', () => {
  const cut: readonly AgentEvent[] = [delta('Half an ans'), { ...messageEnd, stopReason: 'error' }];
  const discarded: AgentEvent = { type: 'notice', code: 'answer_discarded', message: 'Again.', parentToolUseId: null };
  const again = show(...cut, discarded, delta('Whole'), messageEnd, turnEnd({ type: 'success', text: 'Whole' }));
  expect(again).toEqual({ stdout: 'Whole\n', stderr: '! Again.\n' });
  const failed = show(...cut, turnEnd({ type: 'error', error: new AgentError('internal', 'Bad.') }));
  expect(failed).toEqual({ stdout: 'Half an ans\n', stderr: 'qwen: Bad.\n' });
  const long = 'x'.repeat(70_000);
  const piped = createText();
  expect([delta(long), delta('y')].flatMap((event) => piped(event))).toHaveLength(2);
  const toPieces = createText({ stdout: { isScreen: true } });
  expect(toPieces(delta('Half'))).toEqual([{ to: 'stdout', text: 'Half' }]);
});

test('subagent text does not interrupt an answer', () => {
  const inner = { messageId: 's', parentToolUseId: 'call_1' };
  const said: AgentEvent = { type: 'block_delta', index: 0, kind: 'text', text: 'inner', ...inner };
  expect(show(delta('Hel'), said, { ...messageEnd, ...inner }, delta('lo'), messageEnd).stdout).toBe('Hello\n');
});

test('tool calls are summarized on stderr, never within a line', () => {
  const input = { command: `echo ${'x'.repeat(300)}` };
  const failed = {
    callId: 'c',
    name: 'run_shell_command',
    uuid: 'u',
    content: 'no\n\u001b[31msuch\u001b[0m file\u001b[2J',
    isError: true,
    status: 'error',
  } as const;
  const shown = show(
    delta('Let me see.'),
    messageEnd,
    { type: 'tool_start', callId: 'c', name: 'run_shell_command', input, parentToolUseId: null },
    { type: 'tool_end', outcome: failed, parentToolUseId: null },
    { type: 'tool_end', outcome: { ...failed, isError: false, status: 'success' }, parentToolUseId: null },
    {
      type: 'tool_end',
      outcome: {
        ...failed,
        content: [
          { type: 'text', text: 'one' },
          { type: 'image', source: {} },
        ] as never,
      },
      parentToolUseId: null,
    },
  );
  expect(shown.stdout).toBe('Let me see.\n');
  expect(shown.stderr.split('\n')).toEqual([
    expect.stringMatching(/^> run_shell_command \{"command":"echo x+… \(\d+ more characters\)$/),
    '! run_shell_command: no such file',
    '! run_shell_command: one [image]',
    '',
  ]);
});

test('styled output cannot imitate other lines or control the terminal', () => {
  const shown = show({
    type: 'tool_start',
    callId: 'c',
    name: 'edit',
    input: 'a\r\n\u001b[2Jb\u202ec\u2028',
    parentToolUseId: null,
  });
  expect(shown.stderr).not.toMatch(/[\r\u001b\u202e\u2028]|\n./);
  verifies('S25');
  const runs = (command: string) =>
    show({ type: 'tool_start', callId: 'c', name: 'Bash', input: { command }, parentToolUseId: null }).stderr;
  expect(runs('rm y \u202eolleh\u001b[2K')).toBe(String.raw`> Bash {"command":"rm y \u202eolleh\u001b[2K"}` + '\n');
  expect(runs(`ls${' '.repeat(5000)}; rm y`)).toMatch(/… \(\d+ more characters\)\n$/);
  const notice = (message: string) => show({ type: 'notice', code: 'n', message, parentToolUseId: null }).stderr;
  expect(notice('The rule \u001b[2J is void.')).toBe(String.raw`! The rule \u001b[2J is void.` + '\n');
});

test('prints retries, notices and the outcome of a turn', () => {
  const error = new AgentError('provider_error', 'The provider failed.');
  expect(
    show(
      { type: 'retry', attempt: 1, delayMs: 1500, error, parentToolUseId: null },
      { type: 'notice', code: 'n', message: 'Mind the gap.', parentToolUseId: null },
      { type: 'model_changed', model: 'x' },
      turnEnd({ type: 'error', error }),
    ).stderr,
  ).toBe('! The provider failed. Retrying in 2 s.\n! Mind the gap.\nqwen: The provider failed.\n');
  expect(show(turnEnd({ type: 'max_turns', limit: 3 })).stderr).toBe('! Stopped after 3 model calls.\n');
  expect(show(turnEnd({ type: 'interrupted', by: 'user', reason: 'Interrupted.' })).stderr).toBe('! Interrupted.\n');
  expect(show(turnEnd({ type: 'budget', limit: 'wallMs' })).stderr).toBe(
    '! The time limit for this prompt was reached.\n',
  );
});

test('prints a valid structured output', () => {
  expect(show(turnEnd({ type: 'success', text: '{"n":1}', structured: { n: 1 } })).stdout).toBe('{"n":1}\n');
});

test('an output annotation waits for the end of the current answer', () => {
  const news: AgentEvent = { type: 'notice', code: 'n', message: 'News.', parentToolUseId: null };
  const toPieces = createText({ stdout: { isScreen: true } });
  expect([delta('Hel'), news, delta('lo')].flatMap((event) => toPieces(event))).toEqual([
    { to: 'stdout', text: 'Hel' },
    { to: 'stdout', text: 'lo' },
  ]);
  expect(toPieces(messageEnd)).toEqual([
    { to: 'stdout', text: '\n' },
    { to: 'stderr', text: '! News.\n' },
  ]);
});

test('an edit is shown under its call, truncated if long; so are lists and plans', () => {
  const stat = { aiAdded: 1, aiRemoved: 1, userAdded: 0, userRemoved: 0 };
  const shows = (shown: ToolDisplay) =>
    show({
      type: 'tool_end',
      outcome: {
        callId: 'c',
        name: 'edit',
        uuid: 'u',
        content: 'ok',
        isError: false,
        status: 'success',
        display: shown,
      },
      parentToolUseId: null,
    }).stderr;
  const change = { kind: 'diff', path: '/w/a', stat } as const;
  const head = '--- a\n+++ b\n@@ -1 +1 @@\n';
  expect(shows({ ...change, diff: `${head}-\told\n+new\u001b[2J\n` })).toBe(
    ['  @@ -1 +1 @@', '  -  old', String.raw`  +new\u001b[2J`, ''].join('\n'),
  );
  expect(shows({ ...change, diff: `${head}${'+x\n'.repeat(31)}` })).toMatch(/\n {2}… \(2 more lines\)\n$/);
  expect(shows({ ...change, diff: '' })).toBe('');
  const todos = [{ id: '1', content: 'look', status: 'completed' }] as const;
  expect(shows({ kind: 'todos', todos })).toBe('  [x] look\n');
  expect(shows({ kind: 'plan', message: 'm', plan: '# Plan\n' })).toBe('  # Plan\n');
  expect(shows({ kind: 'text', text: 'read' })).toBe('');
});

test('colours and escaping apply to terminals; piped text stays unchanged', () => {
  verifies('S25');
  const steering = 'a\u001b[2Jb\r\n';
  const failed = turnEnd({ type: 'error', error: new AgentError('internal', 'Bad.') });
  const written = (looks: Parameters<typeof createText>[0]) => {
    const toPieces = createText(looks);
    return [delta(steering), failed].flatMap((event) => toPieces(event)).map(({ text }) => text);
  };
  expect(written({})).toEqual([steering, 'qwen: Bad.\n']);
  expect(written({ stdout: { isScreen: true }, stderr: { hasColours: true } })).toEqual([
    'a\\u001b[2Jb\n',
    '\u001b[31mqwen: Bad.\u001b[0m\n',
  ]);
});
