import { escapeHidden } from '@qwen/protocol';

const MAX_ANSWER = 1000;

/** Anything but approval is a denial. Undefined if stdin or stderr is not a terminal. */
export async function askAtTerminal(question: string): Promise<boolean | undefined> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) return undefined;
  stderr.write(`${escapeHidden(question)} [y/N] `);
  let answer = '';
  stdin.setEncoding('utf8');
  for await (const piece of stdin) {
    answer += String(piece);
    if (answer.includes('\n') || answer.length > MAX_ANSWER) break;
  }
  return /^\s*y(es)?\s*$/i.test(answer.split('\n', 1)[0] ?? '');
}
