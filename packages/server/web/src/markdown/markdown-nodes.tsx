import { lexer, type Token, type Tokens } from 'marked';
import type { ComponentChild, ComponentChildren } from 'preact';
import { resolveReferences } from './character-references.js';
import { CodeBlock } from './code-block.js';
import { safeLink } from './safe-link.js';

/**
 * Markdown of a model as nodes. Only elements that are named here can come of it: tokens become nodes of ours one by one,
 * there is no text that a browser reads as markup. HTML is shown as it was written, pictures as links.
 */
export function toMarkdownNodes(text: string): ComponentChild[] {
  return parse(text).map(toNode);
}

/** What cannot be read as markdown is shown as it is. */
function parse(text: string): readonly Token[] {
  try {
    // A line that ends is meant to end: commands answer in lines.
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
      return toLink(token['href'], token['text'] || 'picture');
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

/** The page has one heading of its own above those of an answer. */
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
