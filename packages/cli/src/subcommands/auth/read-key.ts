import { AgentError, escapeHidden } from '@qwen/protocol';

const MAX_LENGTH = 65_536;

/** Reads piped text to its end, or one line at the terminal without echo. Rejects with `usage` or `cancelled`. */
export async function readKey(question: string): Promise<string> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) return readAll(stdin);
  stderr.write(escapeHidden(question));
  stdin.setRawMode(true);
  try {
    return await readHidden(stdin);
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write('\n');
  }
}

async function readAll(input: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of input) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_LENGTH) throw new AgentError('usage', 'stdin is too long for a key.');
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Pasted line breaks before the key are skipped. */
async function readHidden(input: NodeJS.ReadStream): Promise<string> {
  let text = '';
  input.setEncoding('utf8');
  for await (const piece of input) {
    for (const character of String(piece)) {
      if (character === '\u0003') throw new AgentError('cancelled', 'The sign-in was cancelled.');
      const isEnd = character === '\r' || character === '\n' || character === '\u0004';
      if (isEnd && (text.trim() !== '' || character === '\u0004')) return text;
      if (character === '\u007f' || character === '\b') text = text.slice(0, -1);
      else if (character === '\u0015') text = '';
      else if (!isEnd) text += character;
    }
    if (text.length > MAX_LENGTH) throw new AgentError('usage', 'The input is too long for a key.');
  }
  return text;
}
