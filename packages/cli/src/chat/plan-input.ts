import type { ToolResult } from '@qwen/agent';
import { mayBeCommand } from '@qwen/host/commands/known-commands.js';
import type { ContentBlock } from '@qwen/protocol';
import { AgentError } from '@qwen/protocol';
import type { ChatPart, ChatRequest, CommandReference, ConfirmationOutcome } from '@qwen/protocol/openai';

export interface PlannedCommand {
  readonly path?: readonly string[];
  readonly args: string;
  readonly line?: string;
  readonly approvedCommands: readonly string[];
  readonly confirmationOutcome?: ConfirmationOutcome;
}

export type PlannedInput =
  | {
      readonly kind: 'prompt';
      readonly content: string | readonly ContentBlock[];
      readonly references: readonly CommandReference[];
    }
  | { readonly kind: 'command'; readonly command: PlannedCommand }
  | { readonly kind: 'tool_response'; readonly callId: string; readonly result: ToolResult }
  | {
      readonly kind: 'tool_run';
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
      readonly callId: string | undefined;
      readonly isClientInitiated: boolean;
    }
  | { readonly kind: 'note'; readonly text: string };

/** Pure. Throws `invalid_message` for a request that asks for nothing. */
export function planInput(request: ChatRequest): PlannedInput {
  const { input, tool_request: tool } = request;
  if (input.origin === 'tool_response') return planToolResponse(request);
  if (tool) {
    const { name, args, callId, isClientInitiated } = tool;
    return {
      kind: 'tool_run',
      name,
      input: args ?? {},
      callId: callId ?? undefined,
      isClientInitiated: isClientInitiated ?? true,
    };
  }
  const text = textOf(input.parts);
  const command = planCommand(request, text);
  if (command !== undefined) return { kind: 'command', command };
  if (input.origin === 'system') {
    if (text.trim() === '') throw new AgentError('invalid_message', 'request.input.parts: there is no text or file');
    return { kind: 'note', text };
  }
  const content = contentOf(input.parts, text);
  const references = [...(input.command?.references ?? []), ...filesOf(input.parts)];
  if (content === '' && references.length === 0) {
    throw new AgentError('invalid_message', 'request.input.parts: there is no text');
  }
  return { kind: 'prompt', content, references };
}

function textOf(parts: readonly ChatPart[]): string {
  return parts.map((part) => (part.type === 'text' && typeof part['text'] === 'string' ? part['text'] : '')).join('');
}

function planCommand(request: ChatRequest, text: string): PlannedCommand | undefined {
  const { origin, parts, command } = request.input;
  const answer = {
    approvedCommands: command?.approvedCommands ?? request.approvedCommands ?? [],
    ...answerOf(command?.confirmationOutcome ?? request.confirmationOutcome),
  };
  if (command?.kind === 'slash') {
    if (command.path === undefined || command.path.length === 0) {
      throw new AgentError('invalid_message', 'request.input.command.path: expected the names of a command');
    }
    return { path: command.path, args: command.args ?? '', ...answer };
  }
  if (command?.kind === 'at') return undefined;
  const instruction = parts.find((part) => part.type === 'instruction');
  if (origin === 'system') {
    const line = instruction?.['text'];
    return typeof line === 'string' ? { args: '', line, ...answer } : undefined;
  }
  return mayBeCommand(text) ? { args: '', line: text, ...answer } : undefined;
}

function answerOf(outcome: ConfirmationOutcome | null | undefined): Pick<PlannedCommand, 'confirmationOutcome'> {
  return outcome ? { confirmationOutcome: outcome } : {};
}

function contentOf(parts: readonly ChatPart[], text: string): string | ContentBlock[] {
  const images = parts.flatMap((part) => {
    if (part.type === 'inline_data') return [imageOf(part)];
    return part.type === 'file_data' ? webImageOf(part) : [];
  });
  if (images.length === 0) return text;
  return [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...images];
}

type InlineData = Extract<ChatPart, { type: 'inline_data' }>;
type FileData = Extract<ChatPart, { type: 'file_data' }>;

function imageOf({ inline_data: { mime_type: type, data } }: InlineData): ContentBlock {
  if (!type.startsWith('image/')) {
    throw new AgentError(
      'invalid_message',
      `request.input.parts: inline_data of ${type} is not supported, only images`,
    );
  }
  return { type: 'image', source: { type: 'base64', media_type: type, data } };
}

function webImageOf({ file_data: { file_uri: url } }: FileData): ContentBlock[] {
  return isWebAddress(url) ? [{ type: 'image', source: { type: 'url', url } }] : [];
}

function isWebAddress(uri: string): boolean {
  return /^https?:/i.test(uri);
}

function filesOf(parts: readonly ChatPart[]): CommandReference[] {
  return parts.flatMap((part) => {
    if (part.type !== 'file_data') return [];
    const { file_uri: uri } = part.file_data;
    if (isWebAddress(uri)) return [];
    return [{ original: uri, resolved: uri.startsWith('file:') ? pathOf(uri) : uri }];
  });
}

function pathOf(uri: string): string {
  try {
    return decodeURIComponent(new URL(uri).pathname);
  } catch {
    throw new AgentError('invalid_message', `request.input.parts: "${uri}" is not a file URL`);
  }
}

function planToolResponse({ input, tool_call_id: callId }: ChatRequest): PlannedInput {
  if (!callId) {
    throw new AgentError('invalid_message', 'request.tool_call_id: expected string, because this answers a call');
  }
  const answers = input.parts.flatMap((part) => {
    if (part.type === 'function_response') return [readResponse(part.function_response.response)];
    return part.type === 'text' ? [{ content: part.text, isError: false }] : [];
  });
  const content = answers.map((answer) => answer.content).join('\n');
  return { kind: 'tool_response', callId, result: { content, isError: answers.some(({ isError }) => isError) } };
}

/** `output` and `error` are the members that `@google/genai` reads. */
function readResponse(response: unknown): { readonly content: string; readonly isError: boolean } {
  if (typeof response === 'string') return { content: response, isError: false };
  if (typeof response === 'object' && response !== null) {
    if ('error' in response && response.error !== undefined && response.error !== null) {
      return { content: toText(response.error), isError: true };
    }
    if ('output' in response && Object.keys(response).length === 1)
      return { content: toText(response.output), isError: false };
  }
  return { content: toText(response), isError: false };
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
