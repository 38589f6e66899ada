import type { Annotation, ChunkLine, CompletionLine, TerminalAnnotation } from '@qwen/protocol/openai';
import type { EventScope, QwenEvent, QwenEventBody } from './events.js';

export function at(scope: EventScope, events: readonly QwenEventBody[]): QwenEvent[] {
  return events.map((event) => ({ ...scope, ...event }));
}

export function completionEvents(line: CompletionLine): QwenEventBody[] {
  const events = receiptEvents(line);
  for (const { index, message, finish_reason: finishReason = null } of line.choices) {
    if (index !== 0) continue;
    const { role, content, tool_calls: calls, tool_call_id: toolCallId, annotations } = message;
    const text = content ?? '';
    const toolCalls = calls ?? [];
    events.push(...contentEvents(role === 'tool' ? '' : text, annotations));
    const isMessage = role === 'tool' || finishReason !== null;
    const isSummary = line.metadata?.summary !== undefined && text === '' && toolCalls.length === 0;
    if (isMessage && !isSummary) events.push({ kind: 'message', role, text, toolCalls, toolCallId, finishReason });
  }
  return [...events, ...metadataEvents(line)];
}

/** Text with styling, then the other annotations. */
export function contentEvents(text: string, annotations: readonly Annotation[] = []): QwenEventBody[] {
  const terminal = annotations.filter(isAboutContent);
  const others = annotations.filter((annotation) => !isAboutContent(annotation)).flatMap(annotationEvents);
  if (text !== '') return [{ kind: 'text', text, terminal }, ...others];
  return [...terminal.map((look): QwenEventBody => ({ kind: 'terminal', text: '', terminal: look })), ...others];
}

function isAboutContent(annotation: Annotation): annotation is TerminalAnnotation {
  return annotation.type === 'x-qwen-terminal' && annotation.text === undefined;
}

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

export function receiptEvents({ metadata }: CompletionLine | ChunkLine): QwenEventBody[] {
  return metadata?.protocol_version === undefined ? [] : [{ kind: 'receipt', receipt: metadata }];
}

export function metadataEvents({ object, usage, metadata }: CompletionLine | ChunkLine): QwenEventBody[] {
  const { control_errors: controlErrors = [], error, summary } = metadata ?? {};
  // In the message format the usage of a summary is the sum of those before.
  const isSum = summary !== undefined && object === 'chat.completion';
  return [
    ...(usage == null || isSum ? [] : [{ kind: 'usage', usage } as const]),
    ...controlErrors.map((controlError) => ({ kind: 'control_error', error: controlError }) as const),
    ...(error == null ? [] : [{ kind: 'error', error } as const]),
    ...(summary === undefined ? [] : [{ kind: 'summary', summary } as const]),
  ];
}
