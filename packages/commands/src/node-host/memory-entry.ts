const HEADING = '## Qwen Added Memories';

/** The text of QWEN.md with one more entry under the heading of entries, which is added when it is missing. */
export function withEntry(text: string, entry: string): string {
  const item = `- ${entry.replace(/^(?:[-*+]\s+)+/, '')}`;
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.trim() === HEADING);
  if (start === -1) return [text.trimEnd(), '', HEADING, '', item, ''].join('\n').trimStart();
  const next = lines.findIndex((line, index) => index > start && /^#{1,2}\s/.test(line));
  const section = lines.slice(start, next === -1 ? lines.length : next);
  while (section.at(-1)?.trim() === '') section.pop();
  return [...lines.slice(0, start), ...section, item, ...(next === -1 ? [''] : ['', ...lines.slice(next)])].join('\n');
}
