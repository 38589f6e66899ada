import { fileURLToPath } from 'node:url';
import type { ContentBlock as AcpBlock } from '@agentclientprotocol/sdk';
import { AgentError, type ContentBlock, FILES_HEADING, type ImageBlock } from '@qwen/protocol';

/** What a client sent as one prompt. */
export interface AcpPrompt {
  /** The user's text; links stay in place. A command if it starts with a slash. */
  readonly text: string;
  /** Images, then the attached files. */
  readonly attachments: readonly ContentBlock[];
}

const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Throws `invalid_message`. */
export function readPrompt(blocks: readonly AcpBlock[]): AcpPrompt {
  const texts: string[] = [];
  const images: ImageBlock[] = [];
  const files: ContentBlock[] = [];
  for (const [index, block] of blocks.entries()) {
    switch (block.type) {
      case 'text':
        texts.push(block.text);
        break;
      case 'image':
        images.push(toImage(block.mimeType, block.data, index));
        break;
      case 'resource_link':
        texts.push(`[${block.title ?? block.name}](${pathOf(block.uri)})`);
        break;
      case 'resource': {
        const { resource } = block;
        const place = pathOf(resource.uri);
        texts.push(`[${lastPart(place)}](${place})`);
        if ('text' in resource) files.push({ type: 'text', text: `--- ${place} ---\n${resource.text}` });
        else images.push(toImage(resource.mimeType ?? '', resource.blob, index));
        break;
      }
      case 'audio':
        throw invalid(index, 'audio is not supported; send text, images or resources');
    }
  }
  const text = texts.join('');
  if (text.trim() === '' && images.length === 0) {
    throw new AgentError('invalid_message', 'prompt: expected text, an image or a resource, but it is empty');
  }
  const heading: readonly ContentBlock[] = files.length === 0 ? [] : [{ type: 'text', text: FILES_HEADING }];
  return { text, attachments: [...images, ...heading, ...files] };
}

export function joinPrompt(
  content: string | readonly ContentBlock[],
  attachments: readonly ContentBlock[],
): string | readonly ContentBlock[] {
  if (attachments.length === 0) return content;
  const own: readonly ContentBlock[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return [...own.filter((block) => block.type !== 'text' || block.text !== ''), ...attachments];
}

function toImage(mimeType: string, data: string, index: number): ImageBlock {
  const type = mimeType.toLowerCase();
  if (!IMAGE_TYPES.has(type)) {
    const problem = type === '' ? 'mimeType is missing' : `the type "${mimeType}" is not supported`;
    throw invalid(index, `${problem}; send ${[...IMAGE_TYPES].join(', ')} or text`);
  }
  if (data === '' || !/^[\w+/-]+={0,2}$/.test(data.replaceAll(/\s/g, ''))) {
    throw invalid(index, 'the data is not base64');
  }
  return { type: 'image', source: { type: 'base64', media_type: type, data } };
}

/** The path of a file; other addresses stay as they are. */
function pathOf(uri: string): string {
  if (!uri.startsWith('file:')) return uri;
  try {
    return fileURLToPath(uri.replace(/[#?].*$/s, '')) + (/#.*$/s.exec(uri)?.[0] ?? '');
  } catch {
    return uri;
  }
}

function lastPart(place: string): string {
  return place.split(/[/\\]/).findLast((part) => part !== '') ?? place;
}

function invalid(index: number, problem: string): AgentError {
  return new AgentError('invalid_message', `prompt.${index}: ${problem}`);
}
