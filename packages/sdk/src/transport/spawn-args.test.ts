import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { type ArgumentOptions, reservedFlagOf, splitsBack, toArguments } from './spawn-args.js';

const MACHINE_MODE = ['--input-format=stream-json', '--output-format=stream-json', '--channel=SDK'];

test('names the sandbox by its mode', () => {
  const flagOf = (sandbox: ArgumentOptions['sandbox']) => toArguments({ sandbox }, []);
  expect([true, false, 'read-only' as const, undefined].map((sandbox) => flagOf(sandbox))).toEqual([
    ['--sandbox=workspace-write'],
    ['--sandbox=off'],
    ['--sandbox=read-only'],
    [],
  ]);
});

test('joins every value to its flag, in a fixed order', () => {
  verifies('FB23', 'T23');
  expect(
    toArguments({
      model: '--yolo',
      permissionMode: 'plan',
      authType: 'openai',
      maxSessionTurns: -1,
      coreTools: ['read_file'],
      excludeTools: ['Bash(rm *)', 'web_fetch'],
      allowedTools: ['Bash(git log, git show)'],
      includeDirectories: ['/a', '/b'],
      includePartialMessages: true,
      includeHookEvents: true,
      resume: 'r',
      continue: true,
      forkSession: true,
      sessionId: 's',
      extraArgs: ['--debug'],
    }),
  ).toEqual([
    ...MACHINE_MODE,
    '--model=--yolo',
    '--approval-mode=plan',
    '--auth-type=openai',
    '--max-session-turns=-1',
    '--core-tools=read_file',
    '--exclude-tools=Bash(rm *),web_fetch',
    '--allowed-tools=Bash(git log, git show)',
    '--include-directories=/a,/b',
    '--include-partial-messages',
    '--include-hook-events',
    '--resume=r',
    '--continue',
    '--fork-session',
    '--session-id=s',
    '--debug',
  ]);
});

test('merges both lists of folders and allows no setting sources', () => {
  const options = { includeDirectories: ['/a'], additionalDirectories: ['/b'], settingSources: [], trustProject: true };
  expect(toArguments(options)).toEqual([
    ...MACHINE_MODE,
    '--include-directories=/a,/b',
    '--setting-sources=',
    '--trust-project',
  ]);
  expect(toArguments({ settingSources: ['user', 'local'] })).toContain('--setting-sources=user,local');
});

test('resuming at an earlier message implies a fork', () => {
  verifies('FB18');
  expect(toArguments({ resume: 'r', resumeSessionAt: 'm' })).toEqual([
    ...MACHINE_MODE,
    '--resume=r',
    '--fork-session',
    '--resume-session-at=m',
  ]);
});

test('omits flags of missing options', () => {
  expect(toArguments({})).toEqual(MACHINE_MODE);
  expect(toArguments({ allowedTools: [], includePartialMessages: false })).toEqual(MACHINE_MODE);
});

test('an empty list of core tools means none of them', () => {
  expect(toArguments({ coreTools: [] })).toEqual([...MACHINE_MODE, '--core-tools=']);
});

test('asks an app with canUseTool unless it chose a mode', () => {
  verifies('FB2');
  const canUseTool = () => ({ behavior: 'allow' as const });
  expect(toArguments({ canUseTool })).toContain('--approval-mode=default');
  expect(toArguments({ canUseTool, permissionMode: 'auto-edit' })).toContain('--approval-mode=auto-edit');
});

test('rejects lists that the CLI would split differently', () => {
  expect(splitsBack([])).toBe(true);
  expect(splitsBack(['Edit', 'Bash(a, b)'])).toBe(true);
  expect(splitsBack(['Edit,Bash'])).toBe(false);
  expect(splitsBack(['Bash(a', 'b)'])).toBe(false);
});

test('flags that an option sets are reserved', () => {
  expect(reservedFlagOf('--approval-mode=yolo')).toBe('--approval-mode');
  expect(reservedFlagOf('--yolo')).toBe('--yolo');
  expect(reservedFlagOf('--permission-mode=bypassPermissions')).toBe('--permission-mode');
  expect(reservedFlagOf('--debug')).toBeUndefined();
});
