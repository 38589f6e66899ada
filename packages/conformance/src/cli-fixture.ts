import type { Line, LineProgram } from './line-program.js';
import type { Report } from './report.js';
import type { ScriptedModel } from './scripted-model.js';

export interface CliTarget {
  readonly command: readonly string[];
  /** An empty folder: the workspace, and the home directory of the program. */
  readonly folder: string;
}

export interface CliFixture {
  readonly report: Report;
  readonly model: ScriptedModel;
  readonly folder: string;
  /** Starts the program without a line of input. The caller disposes it. */
  readonly spawn: (flags: readonly string[]) => LineProgram;
  /** Starts the program as SDKs do and sends `initialize`. The caller disposes it. */
  readonly start: (initialize: object, flags?: readonly string[]) => LineProgram;
}

export const prompt = (content: string) => ({
  type: 'user',
  session_id: '',
  message: { role: 'user', content },
  parent_tool_use_id: null,
});
export const request = (requestId: string, subtype: string, more: object = {}) => ({
  type: 'control_request',
  request_id: requestId,
  request: { subtype, ...more },
});
export const reply = (requestId: unknown, response: object) => ({
  type: 'control_response',
  response: { subtype: 'success', request_id: requestId, response },
});
export const member = (line: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((value, name) => Object(value)[name], line);
export const answers = (requestId: string) => (line: Line) =>
  line['type'] === 'control_response' && member(line, 'response', 'request_id') === requestId;
export const asks = (subtype: string) => (line: Line) =>
  line['type'] === 'control_request' && member(line, 'request', 'subtype') === subtype;
export const isResult = (line: Line) => line['type'] === 'result';
