import type { ContentBlock } from '@qwen/protocol';
import type { FileContent } from './reference-source.js';

/** A file and what to say about it. */
export interface ShownFile {
  /** As people read it. */
  readonly name: string;
  /** `omitted`: there was no room for it. */
  readonly content: FileContent | { readonly kind: 'omitted' };
}

/** Stands before the first file, so that the model can tell them from what the user wrote. */
export const FILES_HEADING = 'The files that the message above refers to:';

/**
 * A file as the model reads it: its name, then its text between fences longer than any in it, so that no file can end
 * its own block and speak for the user.
 */
export function toFileBlocks({ name, content }: ShownFile): ContentBlock[] {
  switch (content.kind) {
    case 'text': {
      if (content.text === '') return [toText(`${name} is empty.`)];
      const fence = '`'.repeat(Math.max(3, longestRun(content.text) + 1));
      const end = content.text.endsWith('\n') ? '' : '\n';
      const rest = content.isCut ? `\n[more follows in ${name}; read_file shows it]` : '';
      return [toText(`${name}:\n${fence}\n${content.text}${end}${fence}${rest}`)];
    }
    case 'image': {
      const { mediaType, data } = content;
      return [
        toText(`${name} (${mediaType}):`),
        { type: 'image', source: { type: 'base64', media_type: mediaType, data } },
      ];
    }
    case 'binary':
      return [toText(`${name} is a binary file of ${content.bytes} bytes; it is not shown.`)];
    case 'omitted':
      return [toText(`${name} is not shown: there was no room left for it. read_file shows it.`)];
  }
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}

function toText(text: string): ContentBlock {
  return { type: 'text', text };
}
