import { stripVTControlCharacters } from 'node:util';
import type { DOMElement } from 'ink';
import { widthOf } from '../lines/text-width.js';

/** Widths of the lines on the screen, top to bottom; a bordered box spans the screen. */
export function frameWidths(root: DOMElement, columns: number): readonly number[] {
  if (root.style.borderStyle !== undefined) {
    return Array.from({ length: root.yogaNode?.getComputedHeight() ?? 0 }, () => columns);
  }
  if (root.nodeName === 'ink-text') {
    const lines = textOf(root).split('\n');
    return lines.map((line) => Math.min(columns, widthOf(stripVTControlCharacters(line).trimEnd())));
  }
  return root.childNodes.flatMap((child) => (child.nodeName === '#text' ? [] : frameWidths(child, columns)));
}

function textOf(node: DOMElement | DOMElement['childNodes'][number]): string {
  return node.nodeName === '#text' ? node.nodeValue : node.childNodes.map(textOf).join('');
}
