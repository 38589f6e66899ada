import dockerfile from 'highlight.js/lib/languages/dockerfile';
import powershell from 'highlight.js/lib/languages/powershell';
import { common, createLowlight } from 'lowlight';
import { toShown } from '../lines/shown-text.js';
import type { Segment, StyledLine, TextStyle } from '../lines/styled-line.js';

/** Longer lines stay plain and do not change what is open. */
const MAX_LENGTH = 2_000;
/** UTF-16 units of earlier lines that are highlighted again while a construct stays open. */
const MAX_CONTEXT = 4_096;

type Highlighter = ReturnType<typeof createLowlight>;
type Parent = ReturnType<Highlighter['highlight']> | Element;
type Element = Extract<ReturnType<Highlighter['highlight']>['children'][number], { readonly type: 'element' }>;

const highlighter = createLowlight({ ...common, dockerfile, powershell });
highlighter.registerAlias({
  bash: ['fish', 'ksh'],
  cpp: ['cuda', 'glsl'],
  ini: ['cfg', 'conf', 'dotenv', 'env', 'properties'],
  java: ['dart', 'gradle', 'groovy', 'scala'],
  json: ['json5', 'jsonl'],
  markdown: ['mdx'],
  sql: ['mysql', 'postgres', 'postgresql', 'sqlite'],
  xml: ['htm', 'svelte', 'vue'],
});

const STYLES: ReadonlyMap<string, TextStyle> = new Map([
  ['keyword', { token: 'AccentPurple' }],
  ['literal', { token: 'AccentPurple' }],
  ['name', { token: 'AccentPurple' }],
  ['section', { token: 'AccentPurple' }],
  ['selector-tag', { token: 'AccentPurple' }],
  ['string', { token: 'AccentGreen' }],
  ['regexp', { token: 'AccentGreen' }],
  ['link', { token: 'AccentGreen' }],
  ['code', { token: 'AccentGreen' }],
  ['comment', { token: 'Gray', italic: true }],
  ['quote', { token: 'Gray', italic: true }],
  ['number', { token: 'AccentYellow' }],
  ['symbol', { token: 'AccentYellow' }],
  ['attr', { token: 'AccentBlue' }],
  ['attribute', { token: 'AccentBlue' }],
  ['bullet', { token: 'AccentBlue' }],
  ['property', { token: 'AccentBlue' }],
  ['title', { token: 'AccentBlue' }],
  ['variable', { token: 'AccentBlue' }],
  ['template-variable', { token: 'AccentBlue' }],
  ['built_in', { token: 'AccentCyan' }],
  ['meta', { token: 'AccentCyan' }],
  ['selector-class', { token: 'AccentCyan' }],
  ['selector-id', { token: 'AccentCyan' }],
  ['type', { token: 'AccentCyan' }],
  ['addition', { token: 'DiffAdded' }],
  ['deletion', { token: 'DiffRemoved' }],
  ['emphasis', { italic: true }],
  ['strong', { bold: true }],
  // Code inside a string.
  ['subst', {}],
]);

/** Undefined for an unknown language. */
export function createCodePainter(language: string): ((text: string) => StyledLine) | undefined {
  const name = language.toLowerCase();
  if (name === '' || !highlighter.registered(name)) return undefined;
  /** Lines whose last construct is open, each with its line end. */
  let context = '';
  return (text) => {
    const shown = toShown(text);
    if (shown.length > MAX_LENGTH) return [{ text: shown }];
    const source = `${context}${shown}\n`;
    const segments: Segment[] = [];
    let openBefore: Parent | undefined;
    let openAfter: Parent | undefined;
    let offset = 0;
    const visit = (parent: Parent, style: TextStyle): void => {
      for (const child of parent.children) {
        if (child.type === 'element') visit(child, styleOf(child) ?? style);
        if (child.type !== 'text') continue;
        const part = child.value.slice(Math.max(0, context.length - offset), source.length - 1 - offset);
        if (part !== '') segments.push({ ...style, text: part });
        offset += child.value.length;
        if (offset < context.length) continue;
        openBefore ??= parent;
        openAfter = parent;
      }
    };
    visit(highlighter.highlight(name, source), {});
    if (openAfter?.type !== 'element') context = '';
    // Within one string or comment, only its beginning matters.
    else if (context === '' || openAfter !== openBefore) context = source.length <= MAX_CONTEXT ? source : '';
    return segments;
  };
}

function styleOf({ properties }: Element): TextStyle | undefined {
  const [first = '', kind] = Array.isArray(properties['className']) ? properties['className'].map(String) : [];
  if (kind === 'class_') return STYLES.get('type');
  return STYLES.get(first.replace(/^hljs-/, ''));
}
