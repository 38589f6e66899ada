import { GlobRun } from './glob-run.js';
import { type GlobNode, type GlobNodes, parseGlob } from './parse-glob.js';

export interface GlobOptions {
  /** Ignore case and Unicode form; the paths must come from {@link foldCase}. Default false. */
  readonly ignoreCase?: boolean;
  /** Also match everything below a folder that matches. Default false. */
  readonly includeBelow?: boolean;
  /** Let wildcards match names that start with a dot. Default true. */
  readonly dotFiles?: boolean;
}

/**
 * Compiles a glob for paths with `/`, in the syntax of bash with `extglob` and `globstar`. A set such as `[id]` also
 * matches its own text. Takes polynomial time for every pattern.
 */
export function compileGlob(pattern: string, options: GlobOptions = {}): (path: string) => boolean {
  const { ignoreCase = false, includeBelow = false, dotFiles = true } = options;
  const parsed = parseGlob(tidy(ignoreCase ? pattern.normalize('NFC') : pattern));
  const nodes = ignoreCase ? parsed.map(foldNode) : parsed;
  const head = textOf(nodes[0]);
  if (includeBelow) {
    return (path) => {
      if (!path.startsWith(head)) return false;
      const ends = new GlobRun(path, dotFiles).ends(nodes);
      return ends.some((end) => end === path.length || (end > 0 && path[end] === '/'));
    };
  }
  const tail = nodes.length > 1 ? textOf(nodes.at(-1)) : '';
  const rest = tail === '' ? nodes : nodes.slice(0, -1);
  return (path) => {
    if (!path.startsWith(head) || !path.endsWith(tail)) return false;
    return new GlobRun(path.slice(0, path.length - tail.length), dotFiles).matches(rest);
  };
}

export function foldCase(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\u0000-\u007f]/gu, (character) => {
      // Unites lower cases with one upper case, such as those of sigma.
      const upper = character.toUpperCase();
      return upper.length === character.length ? upper.toLowerCase() : character;
    });
}

export function literalText(pattern: string): string | undefined {
  const [first, ...others] = parseGlob(pattern);
  if (first === undefined) return '';
  return first.type === 'text' && others.length === 0 ? first.text : undefined;
}

function tidy(pattern: string): string {
  return pattern
    .replaceAll(/\/(?:\.?\/)+/g, '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/(?<=.)\/\.?$/, '')
    .replaceAll(/(?<=^|\/)(?:\*\*\/)+(?=\*\*(?:\/|$))/g, '');
}

function textOf(node: GlobNode | undefined): string {
  return node?.type === 'text' ? node.text : '';
}

function foldNode(node: GlobNode): GlobNode {
  switch (node.type) {
    case 'text':
      return { ...node, text: foldCase(node.text) };
    case 'set':
      return { ...node, text: foldCase(node.text), has: (one) => node.has(one) || node.has(one.toUpperCase()) };
    case 'group':
      return { ...node, choices: node.choices.map((choice: GlobNodes) => choice.map(foldNode)) };
    default:
      return node;
  }
}
