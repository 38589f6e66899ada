import { convert, type FormatCallback } from 'html-to-text';

/** A larger page would block this process while it is converted. */
const MAX_LENGTH = 1_000_000;
const MAX_DEPTH = 200;
/** Not shown to a reader of the page, or the same on every page of a site. */
const OMITTED = 'head title script style noscript template svg canvas iframe object select dialog nav footer'.split(
  ' ',
);

/** The text of a page as Markdown: headings, links with whole URLs, lists, code and tables. */
export function htmlToMarkdown(html: string, url: URL): string {
  const bounded = html.slice(0, MAX_LENGTH);
  const anchor: FormatCallback = (elem, walk, builder) => {
    const href = hrefOf(elem.attribs['href'], url);
    if (href !== undefined) builder.addLiteral('[');
    walk(elem.children, builder);
    if (href !== undefined) builder.addLiteral(`](${href})`);
  };
  const surrounded = (selector: string, mark: string) => ({
    selector,
    format: 'inlineSurround',
    options: { prefix: mark, suffix: mark },
  });
  const text = convert(bounded, {
    wordwrap: false,
    limits: { maxDepth: MAX_DEPTH, maxInputLength: MAX_LENGTH, ellipsis: '[…]' },
    formatters: { anchor, heading, code, span, image, cell, row },
    selectors: [
      ...OMITTED.map((selector) => ({ selector, format: 'skip' })),
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, format: 'heading' })),
      { selector: 'a', format: 'anchor' },
      { selector: 'img', format: 'image' },
      { selector: 'pre', format: 'code' },
      { selector: 'table', format: 'block' },
      { selector: 'tr', format: 'row' },
      { selector: 'td', format: 'cell' },
      { selector: 'th', format: 'cell' },
      { selector: 'ul', options: { itemPrefix: '- ' } },
      surrounded('strong', '**'),
      surrounded('b', '**'),
      { selector: 'code', format: 'span' },
    ],
  });
  const title = titleOf(bounded);
  const heading1 = title === undefined || text.includes(`# ${title}\n`) ? '' : `# ${title}\n\n`;
  return `${heading1}${text}${bounded.length < html.length ? '\n\n[the end of the page is left out]' : ''}`;
}

function titleOf(html: string): string | undefined {
  const [, title] = /<title[^>]{0,200}>([^<]{1,300})/i.exec(html) ?? [];
  return title === undefined ? undefined : htmlToText(title) || undefined;
}

/** The text of a fragment such as a title, without marks. */
export function htmlToText(html: string): string {
  return convert(html, { wordwrap: false }).trim();
}

function hrefOf(href: string | undefined, base: URL): string | undefined {
  const url = href === undefined || href.startsWith('#') ? null : URL.parse(href, base.href);
  return url !== null && /^(?:https?|mailto):$/.test(url.protocol) ? url.href : undefined;
}

const heading: FormatCallback = (elem, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 2 });
  builder.addLiteral(`${'#'.repeat(Number(elem.name?.slice(1)))} `);
  walk(elem.children, builder);
  builder.closeBlock({ trailingLineBreaks: 2 });
};

const code: FormatCallback = (elem, walk, builder) => {
  builder.openBlock({ isPre: true, leadingLineBreaks: 2 });
  builder.addLiteral('```\n');
  walk(elem.children, builder);
  builder.addLiteral('\n```');
  builder.closeBlock({ trailingLineBreaks: 2 });
};

const span: FormatCallback = (elem, walk, builder) => {
  const mark = elem.parent?.name === 'pre' ? '' : '`';
  builder.addLiteral(mark);
  walk(elem.children, builder);
  builder.addLiteral(mark);
};

const image: FormatCallback = (elem, _walk, builder) => {
  const { alt = '' } = elem.attribs;
  if (alt !== '') builder.addInline(alt);
};

const row: FormatCallback = (elem, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 1 });
  walk(elem.children, builder);
  builder.closeBlock({ trailingLineBreaks: 1 });
};

const cell: FormatCallback = (elem, walk, builder) => {
  builder.addLiteral('| ');
  walk(elem.children, builder);
  builder.addInline(' ');
};
