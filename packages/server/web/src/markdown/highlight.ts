import bash from 'highlight.js/lib/languages/bash';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import powershell from 'highlight.js/lib/languages/powershell';
import { common, createLowlight } from 'lowlight';
import { type ComponentChild, h } from 'preact';

// Loaded when the first code block is shown.

const highlighter = createLowlight({ ...common, dockerfile, powershell });
// The agent's commands are no sessions of a shell, which the grammar `shell` is for.
highlighter.register({ shell: bash });

type Parent = ReturnType<typeof highlighter.highlight>;
type Child = Parent['children'][number];

/** Elements with the classes of highlight.js, never markup. Undefined for an unknown language. */
export function highlight(text: string, language: string): ComponentChild[] | undefined {
  if (!highlighter.registered(language)) return undefined;
  return highlighter.highlight(language, text).children.map(toNode);
}

function toNode(node: Child): ComponentChild {
  if (node.type === 'text') return node.value;
  if (node.type !== 'element') return null;
  const names = node.properties['className'];
  return h('span', { class: Array.isArray(names) ? names.join(' ') : undefined }, node.children.map(toNode));
}
