import type { Client } from '@modelcontextprotocol/client';
import type { ContentBlock } from '@qwen/protocol';
import * as z from 'zod/mini';
import { askServer } from './ask-server.js';
import { toPlainText } from './plain-text.js';
import { readPages } from './read-pages.js';
import { toToolResult } from './result-content.js';

const MAX_DESCRIPTION_LENGTH = 512;

const resourceSchema = z.looseObject({
  uri: z.string(),
  name: z.optional(z.string()),
  description: z.optional(z.string()),
  mimeType: z.optional(z.string()),
});

const contentsSchema = z.looseObject({
  contents: z.array(
    z.looseObject({
      uri: z.string(),
      mimeType: z.optional(z.string()),
      text: z.optional(z.string()),
      blob: z.optional(z.string()),
    }),
  ),
});

export interface ResourceEntry {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType?: string | undefined;
}

export type ResourceText = string | readonly ContentBlock[];

interface RequestLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export async function listResources(client: Client, limits: RequestLimits): Promise<ResourceEntry[]> {
  const { entries } = await readPages(client, { method: 'resources/list', ...limits });
  return entries
    .flatMap((entry) => z.safeParse(resourceSchema, entry).data ?? [])
    .map(({ uri, name = '', description = '', mimeType }) => ({
      uri,
      name: toPlainText(name, MAX_DESCRIPTION_LENGTH),
      description: toPlainText(description, MAX_DESCRIPTION_LENGTH),
      mimeType,
    }));
}

/** Only the server interprets its URIs. */
export async function readResource(
  client: Client,
  { uri, timeoutMs, signal }: RequestLimits & { readonly uri: string },
): Promise<ResourceText> {
  const question = { method: 'resources/read', params: { uri }, schema: contentsSchema, timeout: timeoutMs, signal };
  const { contents } = await askServer(client, question);
  const content = contents.map((one) => {
    const isImage = one.blob !== undefined && one.mimeType?.startsWith('image/') === true;
    return isImage
      ? { type: 'image', data: one.blob, mimeType: one.mimeType }
      : { type: 'resource', resource: { uri: one.uri, text: one.text, mimeType: one.mimeType } };
  });
  return toToolResult({ content, isError: false }).content;
}
