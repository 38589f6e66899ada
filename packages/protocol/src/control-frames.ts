import { AgentError, fromWireError, toWireError, type WireError, wireErrorSchema } from './errors.js';
import { isJsonObject, type JsonObject } from './json-object.js';
import { readVerdictWords } from './older-forms.js';
import { readTraceContext, type TraceContext } from './trace-context.js';

export interface ControlScope {
  sessionId?: string;
  promptId?: string;
}

/** A control line, normalized. `payload` and `result` are unchecked: their shape depends on the subtype. */
export type ControlFrame =
  | ({
      kind: 'request';
      requestId: string;
      subtype: string;
      payload: unknown;
      /** Span of the sender. */
      trace?: TraceContext;
    } & ControlScope)
  | ({ kind: 'response'; requestId: string; ok: true; result: unknown } & ControlScope)
  | ({ kind: 'response'; requestId: string; ok: false; error: AgentError } & ControlScope)
  /** Withdraws a request of the sender; without an id, all of them. */
  | ({ kind: 'cancel'; requestId: string | undefined } & ControlScope);

export interface ControlRequestLine {
  type: 'control_request';
  request_id: string;
  request: { subtype: string; [member: string]: unknown };
  trace_context?: TraceContext;
}

export interface ControlResponseLine {
  type: 'control_response';
  response:
    | { subtype: 'success'; request_id: string; response: unknown }
    | { subtype: 'error'; request_id: string; error: WireError };
}

export interface ControlCancelLine {
  type: 'control_cancel_request';
  request_id?: string;
}

export type ControlLine = ControlRequestLine | ControlResponseLine | ControlCancelLine;

/**
 * True for a control request in any form. Never throws.
 *
 * @example
 * import { createInterface } from 'node:readline';
 * import { isControlRequest } from '@qwen/sdk';
 *
 * for await (const line of createInterface({ input: process.stdin })) {
 *   const value: unknown = JSON.parse(line);
 *   if (isControlRequest(value)) console.log('The CLI asks:', value);
 * }
 */
export function isControlRequest(value: unknown): value is { type: 'control_request' } {
  return isJsonObject(value) && value['type'] === 'control_request';
}

/**
 * True for a control response in any form. Never throws.
 *
 * @example
 * import { createInterface } from 'node:readline';
 * import { isControlResponse } from '@qwen/sdk';
 *
 * for await (const line of createInterface({ input: process.stdin })) {
 *   const value: unknown = JSON.parse(line);
 *   if (isControlResponse(value)) console.log('The CLI answers:', value);
 * }
 */
export function isControlResponse(value: unknown): value is { type: 'control_response' } {
  return isJsonObject(value) && value['type'] === 'control_response';
}

/**
 * True for a control cancellation in any form. Never throws.
 *
 * @example
 * import { createInterface } from 'node:readline';
 * import { isControlCancel } from '@qwen/sdk';
 *
 * for await (const line of createInterface({ input: process.stdin })) {
 *   const value: unknown = JSON.parse(line);
 *   if (isControlCancel(value)) console.log('The CLI withdraws a request:', value);
 * }
 */
export function isControlCancel(value: unknown): value is { type: 'control_cancel_request' } {
  return isJsonObject(value) && value['type'] === 'control_cancel_request';
}

/**
 * Reads a control line in any form: flat, nested, or the strict one of {@link toControlLine}. Returns
 * `invalid_message` instead of throwing.
 */
export function readControlFrame(value: object): ControlFrame | AgentError {
  if (isControlRequest(value)) return readRequest(value);
  if (isControlResponse(value)) return readResponse(value);
  if (isControlCancel(value)) return readCancel(value);
  return new AgentError('invalid_message', 'Not a control line.');
}

/** Returns the strict form, for `encodeLine`. An undefined result becomes null. */
export function toControlLine(frame: ControlFrame): ControlLine {
  if (frame.kind === 'request') {
    const members = isJsonObject(frame.payload) ? frame.payload : {};
    const request = { ...members, subtype: frame.subtype };
    const { requestId, trace } = frame;
    return { type: 'control_request', request_id: requestId, request, ...(trace && { trace_context: trace }) };
  }
  if (frame.kind === 'cancel') {
    return { type: 'control_cancel_request', ...(frame.requestId !== undefined && { request_id: frame.requestId }) };
  }
  const { requestId } = frame;
  const response = frame.ok
    ? { subtype: 'success' as const, request_id: requestId, response: frame.result ?? null }
    : { subtype: 'error' as const, request_id: requestId, error: toWireError(frame.error) };
  return { type: 'control_response', response };
}

function readRequest(line: JsonObject): ControlFrame | AgentError {
  const requestId = readId(line['request_id']);
  if (requestId === undefined) return missingId('control_request');
  const body = [line['request'], line['payload'], line].find(isJsonObject) ?? line;
  const subtype = body['subtype'] ?? line['subtype'];
  if (typeof subtype !== 'string') {
    return new AgentError('invalid_message', 'control_request.subtype: expected string', { data: { requestId } });
  }
  const payload = withoutEnvelope(body, body === line);
  const trace = readTraceContext(line['trace_context']);
  return { kind: 'request', requestId, subtype, payload, ...(trace && { trace }), ...readPlace(line) };
}

function readPlace({ session_id: sessionId, prompt_id: promptId }: JsonObject): ControlScope {
  return { ...(typeof sessionId === 'string' && { sessionId }), ...(typeof promptId === 'string' && { promptId }) };
}

function withoutEnvelope(body: JsonObject, isFlat: boolean): JsonObject {
  const { subtype: _subtype, ...members } = body;
  if (!isFlat) return members;
  const { type: _type, request_id: _requestId, trace_context: _trace, ...payload } = members;
  return payload;
}

function readResponse(line: JsonObject): ControlFrame | AgentError {
  const body = [line['response'], line].find(isVerdictBody);
  const innerId = isJsonObject(line['response']) ? readId(line['response']['request_id']) : undefined;
  const outerId = readId(line['request_id']);
  const requestId = innerId ?? outerId;
  if (requestId === undefined) return missingId('control_response');
  if (outerId !== undefined && outerId !== requestId) {
    return new AgentError('invalid_message', 'control_response.request_id: the two IDs in the line differ');
  }
  if (body === undefined) {
    // The requester must learn that no usable answer will come.
    const error = new AgentError('invalid_payload', 'control_response.response.subtype: expected "success" or "error"');
    return { kind: 'response', requestId, ok: false, error };
  }
  if (body['subtype'] === 'error') return { kind: 'response', requestId, ok: false, error: readError(body['error']) };
  if (contradicts(body['response'], body['result'])) {
    const error = new AgentError(
      'invalid_payload',
      'control_response: the two verdicts in the line contradict each other',
    );
    return { kind: 'response', requestId, ok: false, error };
  }
  const result = body['response'] === undefined ? body['result'] : body['response'];
  return { kind: 'response', requestId, ok: true, result: result ?? null };
}

function isVerdictBody(value: unknown): value is JsonObject {
  return isJsonObject(value) && (value['subtype'] === 'success' || value['subtype'] === 'error');
}

/** Some programs send the result under both names; they must agree. */
function contradicts(response: unknown, result: unknown): boolean {
  if (!isJsonObject(response) || !isJsonObject(result)) return false;
  return readVerdictWords(response)['behavior'] !== readVerdictWords(result)['behavior'];
}

function readError(value: unknown): AgentError {
  if (typeof value === 'string') return fromWireError(value);
  const parsed = wireErrorSchema.safeParse(value);
  return parsed.success ? fromWireError(parsed.data) : fromWireError('The request failed; no reason was given.');
}

function readCancel(line: JsonObject): ControlFrame | AgentError {
  const raw = line['request_id'];
  if (raw === undefined || raw === null) return { kind: 'cancel', requestId: undefined };
  const requestId = readId(raw);
  return requestId === undefined ? missingId('control_cancel_request') : { kind: 'cancel', requestId };
}

/** Ids may be empty or 0; only absence means none. */
function readId(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : undefined;
}

function missingId(type: string): AgentError {
  return new AgentError('invalid_message', `${type}.request_id: expected string`);
}
