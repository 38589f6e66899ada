import { verifies } from '@qwen/testkit';
import * as fc from 'fast-check';
import { type ComponentChild, Fragment, isValidElement } from 'preact';
import { expect, test } from 'vitest';
import { CodeBlock } from './code-block.js';
import { resolveReferences, toMarkdownNodes } from './markdown.js';

interface Seen {
  readonly elements: { readonly name: string; readonly attributes: Readonly<Record<string, unknown>> }[];
  text: string;
}

/** Walks the created nodes. */
function see(children: unknown, seen: Seen = { elements: [], text: '' }): Seen {
  for (const child of [children].flat(Number.POSITIVE_INFINITY)) {
    if (typeof child === 'string' || typeof child === 'number') seen.text += child;
    if (!isValidElement(child)) continue;
    const { children: inner, ...attributes } = Object(child.props);
    const name = typeof child.type === 'string' ? child.type : child.type === CodeBlock ? 'CodeBlock' : 'Fragment';
    if (child.type !== Fragment) seen.elements.push({ name, attributes });
    if (child.type === CodeBlock) seen.text += attributes.text;
    see(inner, seen);
  }
  return seen;
}

const seeMarkdown = (text: string) => see(toMarkdownNodes(text) satisfies ComponentChild[]);

const ELEMENTS = new Set(
  'p h2 h3 h4 h5 h6 CodeBlock blockquote ol ul li input table thead tbody tr th td hr br strong em del code a span div'.split(
    ' ',
  ),
);
const ATTRIBUTES = new Set(
  'class href title target rel start scope tabIndex role aria-label type disabled checked text language'.split(' '),
);

const nasty = fc.array(
  fc.oneof(
    fc.string(),
    fc.constantFrom(
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '[a](javascript:alert(1))',
      '[a](JaVaScRiPt:alert(1))',
      '[a](data:text/html,<b>)',
      '[a]: javascript:alert(1)\n\n[a]',
      '<javascript:alert(1)>',
      '![a](https://x.example/y.png)',
      '&#106;avascript:',
      '| a | b |\n|---|---|\n| 1 | 2 |\n',
      '```html\n<b>\n```\n',
      '- [x] a\n  1. b\n',
      '> # q\n',
      '\n\n',
    ),
  ),
  { maxLength: 12 },
);

test('any text of a model produces only allowed elements', () => {
  verifies('S69');
  fc.assert(
    fc.property(nasty, (parts) => {
      for (const { name, attributes } of seeMarkdown(parts.join('')).elements) {
        expect(ELEMENTS).toContain(name);
        for (const attribute of Object.keys(attributes)) expect(ATTRIBUTES).toContain(attribute);
        if (attributes['href'] !== undefined) expect(attributes['href']).toMatch(/^(https?|mailto):/);
      }
    }),
    { numRuns: 500 },
  );
});

test('HTML is shown as written, images are links, and traps are text', () => {
  const seen = seeMarkdown('<b>x</b> ![cat](https://x.example/c.png) [go](javascript:alert(1)) [up](../secret)');
  expect(seen.text).toBe('<b>x</b> cat go up');
  expect(seen.elements.map(({ name }) => name)).toEqual(['p', 'a', 'span', 'span']);
});

test('character references are decoded, and unknown ones stay', () => {
  expect(resolveReferences('a &lt;b&gt; &amp;lt; &#65;&#x42; &nosuch; &#0; &constructor; AT&T')).toBe(
    'a <b> &lt; AB &nosuch; \uFFFD &constructor; AT&T',
  );
});
