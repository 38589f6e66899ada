import { lexer, type Token, type Tokens } from 'marked';
import type { ComponentChild, ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { CodeBlock } from './code-block.js';

/** Markdown of the model. Memoized, because messages grow many times per second. */
export function Markdown({ text }: { readonly text: string }) {
  return useMemo(() => <div class="markdown">{toMarkdownNodes(text)}</div>, [text]);
}

/**
 * Converts Markdown to nodes. Only the elements named here are created and no text is parsed as markup: HTML is shown
 * literally, images become links.
 */
export function toMarkdownNodes(text: string): ComponentChild[] {
  return parse(text).map(toNode);
}

/** Falls back to plain text. */
function parse(text: string): readonly Token[] {
  try {
    // Keep line breaks, because commands answer in lines.
    return lexer(text, { gfm: true, breaks: true });
  } catch {
    return [{ type: 'text', raw: text, text }];
  }
}

function toNodes(tokens: readonly Token[] | undefined): ComponentChildren {
  return tokens?.map(toNode);
}

function toNode(token: Token): ComponentChild {
  switch (token.type) {
    case 'paragraph':
      return <p>{toNodes(token.tokens)}</p>;
    case 'heading':
      return toHeading(token as Tokens.Heading);
    case 'code':
      return <CodeBlock text={token['text']} language={languageOf(token as Tokens.Code)} />;
    case 'blockquote':
      return <blockquote>{toNodes(token.tokens)}</blockquote>;
    case 'list':
      return toList(token as Tokens.List);
    case 'checkbox':
      return <input type="checkbox" disabled checked={token['checked']} aria-label="done" />;
    case 'table':
      return toTable(token as Tokens.Table);
    case 'hr':
      return <hr />;
    case 'br':
      return <br />;
    case 'strong':
      return <strong>{toNodes(token.tokens)}</strong>;
    case 'em':
      return <em>{toNodes(token.tokens)}</em>;
    case 'del':
      return <del>{toNodes(token.tokens)}</del>;
    case 'codespan':
      return <code>{token['text']}</code>;
    case 'link':
      return toLink(token['href'], toNodes(token.tokens));
    case 'image':
      return toLink(token['href'], token['text'] || 'image');
    case 'space':
    case 'def':
      return null;
    case 'escape':
      return token['text'];
    case 'text':
      return token.tokens === undefined ? resolveReferences(token['text']) : <>{toNodes(token.tokens)}</>;
    default:
      return token.raw;
  }
}

/** `h1` is the heading of the page. */
function toHeading({ depth, tokens }: Tokens.Heading): ComponentChild {
  const Heading = (['h2', 'h3', 'h4', 'h5', 'h6'] as const)[depth - 1] ?? 'h6';
  return <Heading>{toNodes(tokens)}</Heading>;
}

function toList({ ordered, start, items }: Tokens.List): ComponentChild {
  const nodes = items.map(({ tokens, task }) => <li class={task ? 'task' : undefined}>{toNodes(tokens)}</li>);
  return ordered ? <ol start={start === '' ? 1 : start}>{nodes}</ol> : <ul>{nodes}</ul>;
}

function toTable({ header, rows }: Tokens.Table): ComponentChild {
  const cell = ({ align }: Tokens.TableCell) => (align === null ? undefined : `align-${align}`);
  return (
    <div class="wide" tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>
            {header.map((head) => (
              <th scope="col" class={cell(head)}>
                {toNodes(head.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {row.map((data) => (
                <td class={cell(data)}>{toNodes(data.tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function toLink(href: string, content: ComponentChildren): ComponentChild {
  const address = safeLink(href);
  if (address === undefined) return <span class="dead-link">{content}</span>;
  return (
    <a href={address} title={address} target="_blank" rel="noopener noreferrer nofollow">
      {content}
    </a>
  );
}

function languageOf({ lang = '' }: Tokens.Code): string {
  return /^\S*/.exec(lang)?.[0] ?? '';
}

const SCHEMES = new Set(['http:', 'https:', 'mailto:']);

/** Undefined for schemes that a click must not open, such as scripts and files, and for relative URLs. */
function safeLink(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  return SCHEMES.has(url.protocol) ? url.href : undefined;
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00A0',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  copy: '©',
  larr: '←',
  rarr: '→',
};

/** Resolves character references such as `&amp;` and `&#xA9;`; of the named ones, those that models write. */
export function resolveReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z]{1,10});/g, (whole: string, name: string) => {
    if (!name.startsWith('#')) return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? whole) : whole;
    const code = Number(name.slice(1).replace(/^[xX]/, '0x'));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD';
  });
}
