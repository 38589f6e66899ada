import { isJsonObject, type JsonObject } from '../json-object.js';
import { SESSION_EVENTS } from './annotations.js';
import { TOOL_STATUSES } from './tool-display.js';

// The documents spell some members differently: all are read, one is written.

/** A smaller time stamp is in seconds. */
const SECONDS_LIMIT = 100_000_000_000;

export function readAnnotation(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  switch (value['type']) {
    case 'x-qwen-terminal':
      return { ...value, ansi: readList(value['ansi'], readAnsiItem), ...readSpans(value) };
    case 'x-qwen-tool-display':
      return { ...value, ...readStatus(value), ...readTimestamp(value) };
    case 'x-qwen-session-event':
      return readSessionEvent(value);
    default:
      return value;
  }
}

/** Ignores case and underscores. An unknown word stays. */
export function readSessionEvent(value: JsonObject): JsonObject {
  const { event } = value;
  if (typeof event !== 'string') return value;
  const known = SESSION_EVENTS.find((name) => fold(name) === fold(event));
  return known === undefined ? value : { ...value, event: known };
}

/** One document calls it `action`. */
export function readCommandLine(value: JsonObject): JsonObject {
  return 'result' in value || !('action' in value) ? value : { ...value, result: value['action'] };
}

function readSpans({ spans }: JsonObject): JsonObject {
  return spans == null ? {} : { spans: readList(spans, readSpan) };
}

function readSpan(span: unknown): unknown {
  if (!isJsonObject(span)) return span;
  const { start, end, start_index: from = start, end_index: to = end, style = {} } = span;
  return { ...span, start_index: from, end_index: to, style };
}

function readAnsiItem(item: unknown): unknown {
  return isJsonObject(item) ? { ...item, sequence: item['sequence'] ?? item['code'] } : item;
}

function readStatus({ status }: JsonObject): JsonObject {
  if (typeof status !== 'string') return {};
  const word = status.toLowerCase() === 'cancelled' ? 'canceled' : status.toLowerCase();
  return TOOL_STATUSES.some((known) => known === word) ? { status: word } : {};
}

function readTimestamp({ timestamp }: JsonObject): JsonObject {
  return typeof timestamp === 'number' && timestamp < SECONDS_LIMIT ? { timestamp: timestamp * 1000 } : {};
}

function readList(value: unknown, readItem: (item: unknown) => unknown): unknown {
  if (value == null) return [];
  return Array.isArray(value) ? value.map(readItem) : value;
}

function fold(word: string): string {
  return word.replaceAll('_', '').toLowerCase();
}
