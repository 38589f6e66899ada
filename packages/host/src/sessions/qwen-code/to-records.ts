import { type ContentBlock, type ConversationRecord, isJsonObject, type SessionRecord } from '@qwen/protocol';
import * as z from 'zod/mini';

const partSchema = z.looseObject({
  text: z.optional(z.string()),
  thought: z.optional(z.boolean()),
  thoughtSignature: z.optional(z.string()),
  inlineData: z.optional(z.looseObject({ mimeType: z.string(), data: z.string() })),
  functionCall: z.optional(
    z.looseObject({ id: z.optional(z.string()), name: z.string(), args: z.optional(z.unknown()) }),
  ),
  functionResponse: z.optional(
    z.looseObject({
      id: z.optional(z.string()),
      name: z.string(),
      response: z.optional(z.unknown()),
      parts: z.optional(z.array(z.unknown())),
    }),
  ),
});
type Part = z.infer<typeof partSchema>;

const messageSchema = z.looseObject({ role: z.optional(z.string()), parts: z.optional(z.array(z.unknown())) });

export const transcriptLineSchema = z.looseObject({
  uuid: z.string(),
  parentUuid: z.nullish(z.string()),
  sessionId: z.string(),
  timestamp: z.string(),
  cwd: z.string(),
  type: z.string(),
  subtype: z.optional(z.string()),
  model: z.optional(z.string()),
  isSidechain: z.optional(z.boolean()),
  message: z.optional(messageSchema),
  usageMetadata: z.optional(z.unknown()),
  toolCallResult: z.optional(z.unknown()),
  systemPayload: z.optional(z.unknown()),
});
export type TranscriptLine = z.infer<typeof transcriptLineSchema>;

/** The conversation that ends with the last line, without the branches that were left by going back. */
export function toRecords(lines: readonly TranscriptLine[]): readonly SessionRecord[] {
  const title = lines.findLast(({ subtype }) => subtype === 'custom_title');
  return [...activeLines(lines).flatMap(toRecord), ...(title === undefined ? [] : toTitle(title))];
}

/** Follows the links from the last line back to the first one; oldest first. */
function activeLines(lines: readonly TranscriptLine[]): readonly TranscriptLine[] {
  const groups = new Map<string, TranscriptLine[]>();
  for (const line of lines) {
    const group = groups.get(line.uuid);
    if (group === undefined) groups.set(line.uuid, [line]);
    else group.push(line);
  }
  const active: TranscriptLine[][] = [];
  let next = lines.at(-1)?.uuid ?? undefined;
  while (next !== undefined) {
    const group = groups.get(next);
    if (group === undefined) break;
    groups.delete(next);
    active.push(group);
    next = group[0]?.parentUuid ?? undefined;
  }
  return active.toReversed().flat();
}

function toRecord(line: TranscriptLine): SessionRecord[] {
  if (line.isSidechain === true) return [];
  switch (line.type) {
    case 'user':
    case 'assistant':
    case 'tool_result':
      return toMessages(line);
    case 'system':
      return toRestored(line);
    default:
      return [];
  }
}

function toTitle({ timestamp: at, systemPayload }: TranscriptLine): SessionRecord[] {
  const title = isJsonObject(systemPayload) ? systemPayload['customTitle'] : undefined;
  return typeof title === 'string' && title.trim() !== ''
    ? [{ type: 'title', at, title: title.replaceAll(/\s+/g, ' ').trim().slice(0, 200) }]
    : [];
}

/** A compressed conversation replaces what came before. */
function toRestored(line: TranscriptLine): SessionRecord[] {
  const { subtype, systemPayload, timestamp: at, uuid } = line;
  const history = isJsonObject(systemPayload) ? systemPayload['compressedHistory'] : undefined;
  if (subtype !== 'chat_compression' || !Array.isArray(history)) return [];
  const records = history.flatMap((content: unknown, index) => {
    const message = messageSchema.safeParse(content);
    if (!message.success) return [];
    const type = message.data.role === 'model' ? 'assistant' : 'user';
    return toMessages({ ...line, type, uuid: `${uuid}-${index}`, message: message.data, usageMetadata: undefined });
  });
  return [{ type: 'restored', at, records }];
}

function toMessages(line: TranscriptLine): ConversationRecord[] {
  const parts = (line.message?.parts ?? []).flatMap((part) => {
    const parsed = partSchema.safeParse(part);
    return parsed.success ? [parsed.data] : [];
  });
  const { uuid, timestamp: at } = line;
  if (line.type === 'assistant') return toAnswer(line, parts);
  const results = parts.flatMap((part, index) => toResult(line, part, { parts, index }));
  if (results.length > 0) return results;
  const content = parts.flatMap(toBlock).filter(({ type }) => type !== 'thinking');
  const [only] = content;
  if (only === undefined) return [];
  return [{ type: 'user', uuid, at, content: content.length === 1 && only.type === 'text' ? only.text : content }];
}

function toAnswer({ uuid, timestamp: at, model = '', usageMetadata }: TranscriptLine, parts: readonly Part[]) {
  const content = parts.flatMap((part, index): ContentBlock[] => {
    const { functionCall: call, thoughtSignature: signature } = part;
    if (call === undefined) return toBlock(part);
    const id = call.id ?? `${uuid}-${index}`;
    return [
      { type: 'tool_use', id, name: call.name, input: call.args ?? {}, ...(signature !== undefined && { signature }) },
    ];
  });
  if (content.length === 0) return [];
  const hasCalls = content.some(({ type }) => type === 'tool_use');
  const stop_reason = hasCalls ? 'tool_use' : 'end_turn';
  return [{ type: 'assistant' as const, uuid, at, model, content, stop_reason, usage: toUsage(usageMetadata) }];
}

function toBlock({ text, thought, thoughtSignature: signature, inlineData }: Part): ContentBlock[] {
  if (thought === true) {
    return text === undefined
      ? []
      : [{ type: 'thinking', thinking: text, ...(signature !== undefined && { signature }) }];
  }
  if (text !== undefined) return text === '' ? [] : [{ type: 'text', text }];
  if (inlineData?.mimeType.startsWith('image/') !== true) return [];
  return [{ type: 'image', source: { type: 'base64', media_type: inlineData.mimeType, data: inlineData.data } }];
}

interface PartPosition {
  readonly parts: readonly Part[];
  readonly index: number;
}

/** Images of a result are parts next to it, or in it. */
function toResult(
  line: TranscriptLine,
  { functionResponse: found }: Part,
  { parts, index }: PartPosition,
): ConversationRecord[] {
  if (found === undefined) return [];
  const { toolCallResult, uuid, timestamp: at } = line;
  const response = isJsonObject(found.response) ? found.response : {};
  const next = parts.findIndex((part, place) => place > index && part.functionResponse !== undefined);
  const inner = (found.parts ?? []).flatMap((part) => {
    const parsed = partSchema.safeParse(part);
    return parsed.success ? [parsed.data] : [];
  });
  const beside = [...inner, ...parts.slice(index + 1, next === -1 ? undefined : next)].flatMap(toBlock);
  const text = textOf(response['error'] ?? response['output'] ?? response['content'] ?? response);
  const status = isJsonObject(toolCallResult) ? toolCallResult['status'] : undefined;
  return [
    {
      type: 'tool_result',
      uuid: index === 0 ? uuid : `${uuid}-${index}`,
      at,
      tool_use_id: found.id ?? `${uuid}-${index}`,
      tool_name: found.name,
      content: beside.length === 0 ? text : [{ type: 'text', text }, ...beside],
      is_error: response['error'] !== undefined || status === 'error' || status === 'cancelled',
    },
  ];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const usageSchema = z.looseObject({
  promptTokenCount: z.optional(z.number()),
  candidatesTokenCount: z.optional(z.number()),
  cachedContentTokenCount: z.optional(z.number()),
  totalTokenCount: z.optional(z.number()),
});

function toUsage(value: unknown) {
  const { data = {} } = usageSchema.safeParse(value ?? {});
  const { promptTokenCount, candidatesTokenCount, cachedContentTokenCount: cached, totalTokenCount: total } = data;
  return {
    input_tokens: promptTokenCount ?? 0,
    output_tokens: candidatesTokenCount ?? 0,
    ...(cached !== undefined && { cache_read_input_tokens: cached }),
    ...(total !== undefined && { total_tokens: total }),
  };
}
