import { type ContentBlock, FILES_HEADING } from '@qwen/protocol';
import type { ExpandedPrompt, ExplicitReference } from './expanded-prompt.js';
import { FileCollector } from './file-collector.js';
import { findMeaning } from './find-meaning.js';
import { nextMention } from './read-mention.js';
import type { ReferenceSource } from './reference-source.js';

export interface ExpandOptions {
  readonly source: ReferenceSource;
  /** References resolved by the host. If there are any, the text is not parsed. */
  readonly references?: readonly ExplicitReference[];
  readonly signal: AbortSignal;
}

/** More `@` signs mean pasted code rather than references. */
const MAX_MENTIONS = 200;

/** Appends referenced files as separate blocks. Files that cannot be added become warnings. Rejects only on abort. */
export async function expandReferences(
  prompt: string | readonly ContentBlock[],
  { source, references = [], signal }: ExpandOptions,
): Promise<ExpandedPrompt> {
  const parts: readonly ContentBlock[] = typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt;
  const collector = new FileCollector({ source, signal });
  let mentionsLeft = MAX_MENTIONS;

  const addText = async (text: string): Promise<void> => {
    for (let mention = nextMention(text); mention !== undefined; ) {
      signal.throwIfAborted();
      const original = text.slice(mention.start, mention.guess.end);
      if (mentionsLeft === 0) return collector.warn('too_many_references', original, original);
      mentionsLeft -= 1;
      const { end, meaning } = await findMeaning(mention, source);
      await collector.add(text.slice(mention.start, end), meaning);
      mention = nextMention(text, end);
    }
  };

  if (references.length > 0) {
    for (const { original, resolved } of references) {
      if (resolved === undefined) await addText(original);
      else await collector.add(original, { path: resolved, sighting: await source.look(resolved), isSure: true });
    }
  } else {
    for (const part of parts) if (part.type === 'text') await addText(part.text);
  }
  const { blocks, files, warnings } = collector;
  const heading: ContentBlock = { type: 'text', text: FILES_HEADING };
  return { content: blocks.length === 0 ? parts : [...parts, heading, ...blocks], files, warnings };
}
