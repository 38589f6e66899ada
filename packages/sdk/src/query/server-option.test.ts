import { isRemoteArgument } from '@qwen/protocol/server';
import { describe, expect, test } from 'vitest';
import { checkOptions } from '../options/check-options.js';
import type { QueryOptions } from '../options/options.js';
import { createTransport } from '../transport/create-transport.js';
import { HttpTransport } from '../transport/http/http-transport.js';
import { toArguments } from '../transport/spawn-args.js';

const server = { url: 'https://agents.example/base/' };
const refusal = (message: string): unknown =>
  expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining(message) as string });

describe('the option server', () => {
  test('replaces the child process', () => {
    const options = checkOptions({ server, cwd: 'project', model: 'm' });
    expect(createTransport(options, [])).toBeInstanceOf(HttpTransport);
  });

  test.each([
    'agents.example',
    'ftp://agents.example',
    'https://name:password@agents.example',
    'https://agents.example?token=x',
    '',
  ])('the URL %j is refused', (url) => {
    expect(() => checkOptions({ server: { url } })).toThrow(refusal('server'));
  });

  test('an invalid token is rejected and not repeated in the error', () => {
    const token = 'a\r\nHost: b';
    expect(() => checkOptions({ server: { ...server, token } })).toThrow(refusal('server.token'));
    expect(() => checkOptions({ server: { ...server, token } })).not.toThrow(token);
  });

  test('conflicts with options of a local CLI, each named', () => {
    const local: QueryOptions[] = [
      { pathToQwenExecutable: 'qwen' },
      { executable: 'node' },
      { env: {} },
      { plugins: [{ type: 'local', path: 'p' }] },
      { transport: new HttpTransport({ ...server, args: [] }) },
    ];
    for (const options of local) {
      expect(() => checkOptions({ server, ...options })).toThrow(refusal(Object.keys(options)[0] ?? ''));
    }
    expect(() => checkOptions({ server, extraArgs: ['--no-such-flag=1'] })).toThrow(refusal('--no-such-flag'));
  });

  test('a server accepts every flag that options produce', () => {
    const flags = toArguments({
      model: 'm',
      permissionMode: 'plan',
      authType: 'openai',
      maxSessionTurns: 3,
      maxToolCalls: 3,
      safeMode: true,
      allowedMcpServerNames: ['a'],
      disabledSlashCommands: ['a'],
      coreTools: ['a'],
      excludeTools: ['a'],
      allowedTools: ['a'],
      includeDirectories: ['a'],
      settingSources: ['user'],
      skills: ['a'],
      trustProject: true,
      sandbox: 'read-only',
      includePartialMessages: true,
      includeHookEvents: true,
      resume: 'a',
      continue: true,
      forkSession: true,
      resumeSessionAt: 'a',
      sessionId: 'a',
      extraArgs: ['--dialect=openai', '--strict-protocol'],
    } satisfies Required<
      Omit<Parameters<typeof toArguments>[0], 'canUseTool' | 'additionalDirectories' | 'proxy' | 'plugins'>
    >);
    expect(flags.filter((flag) => !isRemoteArgument(flag))).toEqual([]);
  });
});
