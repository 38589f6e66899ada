import type { Annotation, ChunkLine, CompletionLine, TerminalAnnotation } from '@qwen/protocol/openai';
import type { EventPlace, QwenEvent, QwenEventBody } from './events.js';

/** The same events, each with its place. */
export function at(place: EventPlace, events: readonly QwenEventBody[]): QwenEvent[] {
  return events.map((event) => ({ ...place, ...event }));
}

/** What a whole line of the message format says. */
export function completionEvents(line: CompletionLine): QwenEventBody[] {
  const events = receiptEvents(line);
  for (const { index, message, finish_reason: finishReason = null } of line.choices) {
    if (index !== 0) continue;
    const { role, content, tool_calls: calls, tool_call_id: toolCallId, annotations } = message;
    const text = content ?? '';
    const toolCalls = calls ?? [];
    // What the model reads of a result is no part of a screen.
    events.push(...contentEvents(role === 'tool' ? '' : text, annotations));
    const isMessage = role === 'tool' || finishReason !== null;
    const isSummary = line.metadata?.summary !== undefined && text === '' && toolCalls.length === 0;
    if (isMessage && !isSummary) events.push({ kind: 'message', role, text, toolCalls, toolCallId, finishReason });
  }
  return [...events, ...metadataEvents(line)];
}

/** What a message or a piece of one says: its words with how they look, then what stands around them. */
export function contentEvents(text: string, annotations: readonly Annotation[] = []): QwenEventBody[] {
  const terminal = annotations.filter(isAboutContent);
  const around = annotations.filter((annotation) => !isAboutContent(annotation)).flatMap(annotationEvents);
  if (text !== '') return [{ kind: 'text', text, terminal }, ...around];
  return [...terminal.map((look): QwenEventBody => ({ kind: 'terminal', text: '', terminal: look })), ...around];
}

function isAboutContent(annotation: Annotation): annotation is TerminalAnnotation {
  return annotation.type === 'x-qwen-terminal' && annotation.text === undefined;
}

/** What one annotation says. One of a newer kind says nothing. */
export function annotationEvents(annotation: Annotation): QwenEventBody[] {
  switch (annotation.type) {
    case 'x-qwen-terminal':
      return [{ kind: 'terminal', text: annotation.text ?? '', terminal: annotation }];
    case 'x-qwen-tool-display':
      return [{ kind: 'tool', display: annotation }];
    case 'x-qwen-thought': {
      const { subject, description } = annotation;
      return [{ kind: 'thought', subject, description }];
    }
    case 'x-qwen-session-event': {
      const { event, message, metrics = {} } = annotation;
      return [{ kind: 'session_event', event, message, metrics }];
    }
    case 'x-qwen-ansi':
      return [{ kind: 'ansi', value: annotation.value }];
    default:
      return [];
  }
}

/** The receipt is the line that names the version (K-01). */
export function receiptEvents({ metadata }: CompletionLine | ChunkLine): QwenEventBody[] {
  return metadata?.protocol_version === undefined ? [] : [{ kind: 'receipt', receipt: metadata }];
}

/** What stands beside the message of a line. */
export function metadataEvents({ object, usage, metadata }: CompletionLine | ChunkLine): QwenEventBody[] {
  const { control_errors: controlErrors = [], error, summary } = metadata ?? {};
  // In the message format the tokens of a summary are the sum of those that were told before (GAP-16).
  const isSum = summary !== undefined && object === 'chat.completion';
  return [
    ...(usage == null || isSum ? [] : [{ kind: 'usage', usage } as const]),
    ...controlErrors.map((controlError) => ({ kind: 'control_error', error: controlError }) as const),
    ...(error == null ? [] : [{ kind: 'error', error } as const]),
    ...(summary === undefined ? [] : [{ kind: 'summary', summary } as const]),
  ];
}
