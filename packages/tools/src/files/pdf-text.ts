import { AgentError } from '@qwen/protocol';

const MAX_PAGES = 200;
/** In UTF-16 units. */
const MAX_TEXT_LENGTH = 2_000_000;

export function isPdf(head: Buffer): boolean {
  return head.subarray(0, 5).toString('latin1') === '%PDF-';
}

/** The text of the pages, each after its number. Throws `tool_failed` for an encrypted or broken file. */
export async function pdfText(data: Uint8Array, signal: AbortSignal): Promise<string> {
  const { getDocumentProxy } = await import('unpdf');
  const document = await getDocumentProxy(data, { verbosity: 0 }).catch((error: unknown) => {
    throw new AgentError('tool_failed', `The PDF cannot be read: ${AgentError.from(error).message}`, { cause: error });
  });
  try {
    const pages: string[] = [];
    let length = 0;
    for (let number = 1; number <= document.numPages; number += 1) {
      signal.throwIfAborted();
      if (number > MAX_PAGES || length > MAX_TEXT_LENGTH) {
        pages.push(`[${document.numPages - number + 1} more pages are left out]`);
        break;
      }
      const { items } = await (await document.getPage(number)).getTextContent();
      const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
      const page = `--- page ${number} of ${document.numPages} ---\n${text.trim()}`;
      length += page.length;
      pages.push(page);
    }
    return `${pages.join('\n')}\n`;
  } finally {
    await document.loadingTask.destroy();
  }
}
