import type * as z from 'zod/mini';
import { describeIssue } from '../describe-issue.js';
import { AgentError } from '../errors.js';
import { type Frame, readFrame } from '../frame.js';
import { isJsonObject, type JsonObject } from '../json-object.js';
import type { SessionEvent } from './annotations.js';
import {
  type ChunkLine,
  type CompletionLine,
  chunkLineSchema,
  completionLineSchema,
  type FatalErrorLine,
  fatalErrorLineSchema,
} from './completion-lines.js';
import { readAnnotation, readCommandLine, readSessionEvent } from './older-spellings.js';
import {
  type CancelLine,
  type CommandLine,
  type HeartbeatLine,
  type HintLine,
  RESULT_LINE_SCHEMAS,
} from './result-lines.js';

/** Everything a program's line may be in the openai dialect. */
export type OutputLine =
  | { readonly kind: 'completion'; readonly line: CompletionLine }
  | { readonly kind: 'chunk'; readonly line: ChunkLine }
  | { readonly kind: 'command'; readonly line: CommandLine }
  | { readonly kind: 'hint'; readonly line: HintLine }
  | { readonly kind: 'heartbeat'; readonly line: HeartbeatLine }
  | { readonly kind: 'cancel'; readonly line: CancelLine }
  | { readonly kind: 'session_event'; readonly line: SessionEvent }
  | { readonly kind: 'fatal'; readonly line: FatalErrorLine }
  | Extract<Frame, { readonly kind: 'control' | 'message' | 'unknown' | 'invalid' }>;

/**
 * Reads a program's line in any spelling. Never throws: an unreadable line is `invalid`, an unknown one `unknown`.
 *
 * @example
 * import { readOutputLine } from '@qwen/sdk/terminal';
 *
 * const output = readOutputLine('{"type":"result/heartbeat","status":"ok","ts":1700000000}');
 * if (output.kind === 'heartbeat') console.log(output.line.status);
 * if (output.kind === 'invalid') console.error(output.error.message);
 */
export function readOutputLine(text: string): OutputLine {
  const frame = readFrame(text);
  if (frame.kind === 'unknown') return readResult(frame);
  if (frame.kind !== 'invalid' || frame.error.code !== 'invalid_message') return frame;
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value) || 'type' in value) return frame;
  return readCompletion(value) ?? frame;
}

function readCompletion(value: JsonObject): OutputLine | undefined {
  switch (value['object']) {
    case 'chat.completion': {
      const line = parse(completionLineSchema, withChoices(value, 'message'), 'chat.completion');
      return AgentError.is(line) ? { kind: 'invalid', error: line } : { kind: 'completion', line };
    }
    case 'chat.completion.chunk': {
      const line = parse(chunkLineSchema, withChoices(value, 'delta'), 'chat.completion.chunk');
      return AgentError.is(line) ? { kind: 'invalid', error: line } : { kind: 'chunk', line };
    }
    default: {
      if (!('error' in value)) return undefined;
      const line = parse(fatalErrorLineSchema, value, 'error');
      return AgentError.is(line) ? { kind: 'invalid', error: line } : { kind: 'fatal', line };
    }
  }
}

/** Abbreviated lines omit the head; annotations may have either spelling. */
function withChoices(value: JsonObject, member: 'message' | 'delta'): JsonObject {
  const { choices } = value;
  const head = { id: '', created: 0, model: '', ...value };
  if (!Array.isArray(choices)) return head;
  return { ...head, choices: choices.map((choice) => readChoice(choice, member)) };
}

function readChoice(choice: unknown, member: 'message' | 'delta'): unknown {
  if (!isJsonObject(choice)) return choice;
  const body = choice[member];
  if (!isJsonObject(body) || !Array.isArray(body['annotations'])) return choice;
  return { ...choice, [member]: { ...body, annotations: body['annotations'].map(readAnnotation) } };
}

function readResult(frame: Extract<Frame, { readonly kind: 'unknown' }>): OutputLine {
  const { type } = frame;
  const value: JsonObject = { ...frame.value };
  switch (type) {
    case 'result/command': {
      const line = parse(RESULT_LINE_SCHEMAS[type], readCommandLine(value), type);
      return AgentError.is(line) ? { kind: 'invalid', error: line } : { kind: 'command', line };
    }
    case 'result/command_hint': {
      const line = parse(RESULT_LINE_SCHEMAS[type], value, type);
      return AgentError.is(line) ? { kind: 'invalid', error: line } : { kind: 'hint', line };
    }
    case 'result/heartbeat': {
      const line = parse(RESULT_LINE_SCHEMAS[type], value, type);
      return AgentError.is(line) ? { kind: 'invalid', error: line } : { kind: 'heartbeat', line };
    }
    case 'result/cancel': {
      const line = parse(RESULT_LINE_SCHEMAS[type], value, type);
      return AgentError.is(line) ? { kind: 'invalid', error: line } : { kind: 'cancel', line };
    }
    case 'x-qwen-session-event': {
      const line = parse(RESULT_LINE_SCHEMAS[type], readSessionEvent(value), type);
      return AgentError.is(line) ? { kind: 'invalid', error: line } : { kind: 'session_event', line };
    }
    default:
      return frame;
  }
}

function parse<Line>(schema: z.ZodMiniType<Line>, value: unknown, name: string): Line | AgentError {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : new AgentError('invalid_message', describeIssue(name, parsed.error));
}
