import { AgentError, escapeHidden } from '@qwen/protocol';
import { cutLine } from '../truncate.js';

const COMMENT = String.raw`^\s*(?://|#|/\*|\{/\*|<!--|--|;|%|\(\*|"""|''')[\s*]*`;
const REST = String.raw`(?:the |all )?(?:rest of|remaining|existing|other|previous|same|unchanged|keep)\b`;
const OMISSIONS = [
  new RegExp(String.raw`${COMMENT}[([]?(?:\.{3}|\u2026)\s*${REST}`, 'i'),
  new RegExp(String.raw`${COMMENT}[([]?${REST}[^.\u2026]{0,60}(?:\.{3}|\u2026)\W*$`, 'i'),
  new RegExp(
    String.raw`${COMMENT}[([]?${REST}.{0,60}\b(?:unchanged|(?:remains?|stays?|is|are) the same|(?:as|same as) before|(?:goes?|stays?|code|content) here)\W*$`,
    'i',
  ),
];

/** Throws `invalid_tool_input` if a line stands for code that it leaves out, which would be lost, unless the old text has it. */
export function assertComplete(newText: string, oldText: string, name: string): void {
  const lines = newText.split('\n');
  const index = lines.findIndex(
    (line) => OMISSIONS.some((pattern) => pattern.test(line)) && !oldText.includes(line.trim()),
  );
  if (index === -1) return;
  const line = escapeHidden(cutLine((lines[index] ?? '').trim(), 80));
  throw new AgentError(
    'invalid_tool_input',
    `Line ${index + 1} of ${name}, "${line}", leaves out code, which would be lost. Send the complete text, or edit only the lines that change.`,
  );
}
