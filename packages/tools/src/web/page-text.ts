import { AgentError } from '@qwen/protocol';
import { isPdf, pdfText } from '../files/pdf-text.js';
import { decodeText } from '../files/text-encoding.js';

type PageForm = 'html' | 'pdf' | 'text' | 'unknown';

const TEXT_TYPE =
  /^(?:text\/.+|application\/(?:json|xml|(?:x-)?(?:javascript|ecmascript|typescript|yaml|toml|sh|ndjson|jsonlines|sql)|graphql|.+\+(?:json|xml|yaml))|image\/svg\+xml)$/;

/** Throws `tool_failed` for a type that has no text. */
export function checkPageType(contentType: string): void {
  formOf(contentType);
}

function formOf(contentType: string): PageForm {
  const type = typeOf(contentType);
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  if (type === 'application/pdf') return 'pdf';
  if (TEXT_TYPE.test(type)) return 'text';
  if (type === '' || type === 'application/octet-stream' || type === 'binary/octet-stream') return 'unknown';
  throw new AgentError(
    'tool_failed',
    `The content type ${JSON.stringify(type.slice(0, 100))} has no text. web_fetch reads HTML, text, JSON, Markdown and PDF.`,
  );
}

export function typeOf(contentType: string): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

interface PageBody {
  readonly url: URL;
  readonly contentType: string;
  readonly body: Buffer;
  readonly isCut: boolean;
}

/** HTML as Markdown, a PDF as the text of its pages, other text as it is. Rejects with `tool_failed`. */
export async function pageText({ url, contentType, body, isCut }: PageBody, signal: AbortSignal): Promise<string> {
  const form = formOf(contentType);
  if (form === 'pdf' || (form === 'unknown' && isPdf(body))) {
    if (isCut) throw new AgentError('tool_failed', 'The PDF is too large.');
    return pdfText(new Uint8Array(body), signal);
  }
  const text = withoutHidden(decode(body, contentType));
  const isHtml = form === 'html' || (form === 'unknown' && /^\s*<(?:!doctype\s+html|html)\b/i.test(text));
  return isHtml ? (await import('./html-to-markdown.js')).htmlToMarkdown(text, url) : text;
}

function decode(body: Buffer, contentType: string): string {
  const label = charsetOf(contentType) ?? charsetOf(body.subarray(0, 1024).toString('latin1'));
  if (label !== undefined) {
    try {
      return new TextDecoder(label).decode(body);
    } catch {
      // An unknown label.
    }
  }
  const decoded = decodeText(body);
  if (decoded === undefined) throw new AgentError('tool_failed', 'The response is binary data, not text.');
  return decoded.text;
}

function charsetOf(text: string): string | undefined {
  return /charset\s*=\s*["']?([\w.:-]+)/i.exec(text)?.[1];
}

/** Tag characters show nothing, but models read them. */
export function withoutHidden(text: string): string {
  return text.replaceAll(/[\u{E0000}-\u{E007F}]/gu, '');
}
