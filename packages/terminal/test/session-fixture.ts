import type { PermissionAnswer, PermissionRequest } from '@qwen/agent';
import { plainText, type StyledLine } from '../src/lines/styled-line.js';
import type { OpenQuestion } from '../src/state/terminal-state.js';

/** The part of a session that a dialog prints to. */
export class PrintedLines {
  readonly lines: string[] = [];

  print(lines: readonly StyledLine[]): void {
    this.lines.push(...lines.map(plainText));
  }
}

type Asked = Extract<OpenQuestion, { kind: 'permission' }>;

/** A permission question, and the answer that it gets. */
export function askedPermission(request: Partial<PermissionRequest> = {}): {
  readonly question: Asked;
  readonly answered: Promise<PermissionAnswer>;
} {
  const { promise, resolve } = Promise.withResolvers<PermissionAnswer>();
  const question: Asked = {
    kind: 'permission',
    id: 'question_1',
    waiting: 0,
    answer: resolve,
    request: {
      toolName: 'run_shell_command',
      callId: 'call_1',
      input: { command: 'rm -r build' },
      suggestions: [{ type: 'allow', label: 'Always', rules: ['Bash(rm -r build)'], destination: 'session' }],
      blockedPath: null,
      reason: 'Commands that change files ask.',
      preview: { type: 'exec', command: 'rm -r build', rootCommand: 'rm' },
      ...request,
    },
  };
  return { question, answered: promise };
}
