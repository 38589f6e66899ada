import { toolCallLine } from '../cards/call-line.js';
import { outputTail } from '../cards/output-lines.js';
import type { StyledLine } from '../lines/styled-line.js';
import { lineWidth } from '../lines/text-width.js';
import { cutLine } from '../lines/wrap-line.js';
import type { LiveCall } from '../state/terminal-state.js';
import { toDuration } from '../transcript/figures.js';

const TAIL_ROWS = 3;

interface CallRowOptions {
  readonly columns: number;
  readonly rows: number;
  readonly nowMs: number;
  /** Absolute; paths below it are shown relative to it. */
  readonly folder: string;
}

/** The newest running calls, and the end of the last one's output. */
export function callRows(calls: readonly LiveCall[], { rows, ...options }: CallRowOptions): readonly StyledLine[] {
  const lines = nested(calls).flatMap((call) => [headOf(call, options), ...tailOf(call)]);
  return lines.slice(-rows || lines.length).map((line) => cutLine(line, options.columns));
}

/** Each subagent is followed by its calls. */
function nested(calls: readonly LiveCall[]): readonly LiveCall[] {
  const ids = new Set(calls.map(({ callId }) => callId));
  const isInner = ({ parentToolUseId }: LiveCall) => parentToolUseId !== null && ids.has(parentToolUseId);
  return calls
    .filter((call) => !isInner(call))
    .flatMap((call) => [call, ...calls.filter(({ parentToolUseId }) => parentToolUseId === call.callId)]);
}

export function wantedCallRows(calls: readonly LiveCall[]): number {
  return calls.reduce((sum, call) => sum + 1 + tailOf(call).length, 0);
}

function headOf(call: LiveCall, { columns, nowMs, folder }: Omit<CallRowOptions, 'rows'>): StyledLine {
  const { name, input, phase, startedAt, innerCalls, activity, parentToolUseId } = call;
  const indent: StyledLine = parentToolUseId === null ? [] : [{ text: '  ' }];
  const count = innerCalls === 0 ? '' : ` · ${innerCalls} ${innerCalls === 1 ? 'call' : 'calls'}`;
  const status = activity === undefined ? '' : ` · ${activity}`;
  const progress = phase === 'running' ? ` ${toDuration(nowMs - startedAt)}${count}${status}` : '';
  const room = columns - lineWidth(indent) - progress.length;
  return [
    ...indent,
    ...toolCallLine({ name, input, state: phase }, { columns: room, folder }),
    { text: progress, token: 'Gray' },
  ];
}

function tailOf({ output, parentToolUseId }: LiveCall): readonly StyledLine[] {
  if (output === '' || parentToolUseId !== null) return [];
  const tail = outputTail(output, { columns: Number.POSITIVE_INFINITY, maxLines: TAIL_ROWS });
  return tail.map((line): StyledLine => [{ text: '    ' }, ...line]);
}
