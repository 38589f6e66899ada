import type { ContentBlock } from '@qwen/protocol';
import type { Fragment } from '@qwen/protocol/server';

/** None if the block differs from what was streamed: the complete message then corrects it. */
export function missingFragments(
  block: ContentBlock,
  streamed: { readonly text: string; readonly signature: string },
): readonly Fragment[] {
  switch (block.type) {
    case 'text': {
      const tail = tailOf(block.text, streamed.text);
      return tail === '' ? [] : [{ type: 'text_delta', text: tail }];
    }
    case 'thinking': {
      const tail = tailOf(block.thinking, streamed.text);
      const signature = tailOf(block.signature ?? '', streamed.signature);
      return [
        ...(tail === '' ? [] : [{ type: 'thinking_delta' as const, thinking: tail }]),
        ...(signature === '' ? [] : [{ type: 'signature_delta' as const, signature }]),
      ];
    }
    case 'tool_use': {
      // Input with other white space lacks nothing.
      const input = tailOf(toJson(block.input), streamed.text);
      return input === '' ? [] : [{ type: 'input_json_delta', partial_json: input }];
    }
    default:
      return [];
  }
}

function tailOf(whole: string, streamed: string): string {
  return whole.startsWith(streamed) ? whole.slice(streamed.length) : '';
}

function toJson(input: unknown): string {
  if (typeof input === 'string') return input;
  const json = JSON.stringify(input) ?? '';
  return json === '{}' ? '' : json;
}
