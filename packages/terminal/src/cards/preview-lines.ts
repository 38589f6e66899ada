import type { PermissionRequest } from '@qwen/agent';
import { escapeHidden, isJsonObject } from '@qwen/protocol';
import { diffLines } from '../diff/diff-lines.js';
import type { Segment, StyledLine } from '../lines/styled-line.js';
import { chopLine, wrapLine } from '../lines/wrap-line.js';
import { markdownLines } from '../markdown/markdown-stream.js';
import { callWords } from './call-words.js';
import type { CardOptions } from './card-options.js';

type PreviewedCall = Pick<PermissionRequest, 'toolName' | 'input' | 'preview'>;

const ASIDE = { token: 'Gray' } as const;

/** Everything the user must see before approving a call: nothing is cut, invisible characters are escaped. */
export function previewLines({ toolName, input, preview }: PreviewedCall, options: CardOptions): StyledLine[] {
  const { columns, isScreenReader = false } = options;
  switch (preview.type) {
    case 'exec':
      return [
        ...exactLines(preview.command, { columns, mark: isScreenReader ? '' : '$ ' }),
        ...shellFacts(input, columns),
      ];
    case 'edit': {
      const words = preview.original === '' ? 'New file: ' : 'File: ';
      return [
        ...chopLine(
          [
            { text: words, ...ASIDE },
            { text: escapeHidden(preview.path), bold: true },
          ],
          columns,
        ),
        ...diffLines(preview.diff, { columns, isScreenReader }),
      ];
    }
    case 'mcp': {
      const { server, tool, displayName } = preview;
      const title = displayName === tool || displayName === '' ? '' : ` (${escapeHidden(displayName)})`;
      return [
        ...chopLine(
          [
            { text: 'Server: ', ...ASIDE },
            { text: escapeHidden(server), bold: true },
          ],
          columns,
        ),
        ...chopLine(
          [
            { text: 'Tool: ', ...ASIDE },
            { text: `${escapeHidden(tool)}${title}`, bold: true },
          ],
          columns,
        ),
        ...inputLines(input, columns),
      ];
    }
    case 'info': {
      const { title } = callWords(toolName, input);
      return [
        ...chopLine(
          [
            { text: 'Tool: ', ...ASIDE },
            { text: title, bold: true },
          ],
          columns,
        ),
        ...preview.prompt.split('\n').flatMap((line) => wrapLine([{ text: escapeHidden(line) }], columns)),
        ...preview.urls.flatMap((url) => chopLine([{ text: escapeHidden(url), token: 'AccentBlue' }], columns)),
        ...inputLines(input, columns),
      ];
    }
    case 'plan':
      return markdownLines(preview.plan, { columns, isScreenReader });
  }
}

function exactLines(
  text: string,
  { columns, mark }: { readonly columns: number; readonly mark: string },
): StyledLine[] {
  const indent: Segment = { text: ' '.repeat(mark.length) };
  return text
    .split('\n')
    .flatMap((line) => chopLine([{ text: escapeHidden(line) }], columns - mark.length))
    .map((line, index): StyledLine => {
      if (mark === '') return line;
      return [index === 0 ? { text: mark, ...ASIDE } : indent, ...line];
    });
}

/** Working directory, if it differs, and the model's description. */
function shellFacts(input: unknown, columns: number): StyledLine[] {
  const members: Readonly<Record<string, unknown>> = isJsonObject(input) ? input : {};
  const { directory, description } = members;
  return [
    ...(typeof directory === 'string' ? chopLine([{ text: `in ${escapeHidden(directory)}`, ...ASIDE }], columns) : []),
    ...(typeof description === 'string' && description !== ''
      ? wrapLine([{ text: `The model says: ${escapeHidden(description)}`, ...ASIDE }], columns)
      : []),
  ];
}

function inputLines(input: unknown, columns: number): StyledLine[] {
  const isEmpty = input === undefined || (isJsonObject(input) && Object.keys(input).length === 0);
  if (isEmpty) return [];
  return exactLines(JSON.stringify(input, null, 2), { columns, mark: '' });
}
