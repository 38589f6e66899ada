import { toVisible } from '@qwen/host/visible-text.js';

const MAX_ANSWER = 1000;

/**
 * Asks a person at the terminal for a yes; anything else, and the end of the input, is a no. Undefined where nobody can
 * be asked: stdin or stderr is no terminal.
 */
export async function askAtTerminal(question: string): Promise<boolean | undefined> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) return undefined;
  stderr.write(`${toVisible(question)} [y/N] `);
  let answer = '';
  stdin.setEncoding('utf8');
  for await (const piece of stdin) {
    answer += String(piece);
    if (answer.includes('\n') || answer.length > MAX_ANSWER) break;
  }
  return /^\s*y(es)?\s*$/i.test(answer.split('\n', 1)[0] ?? '');
}
