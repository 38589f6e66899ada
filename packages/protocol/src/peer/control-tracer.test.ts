import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import type { ControlFrame } from '../control-frames.js';
import { readControlFrame } from '../control-frames.js';
import { AgentError } from '../errors.js';
import { ControlPeer } from './control-peer.js';
import type { ControlTracer } from './control-tracer.js';

const TRACE = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };

/** Records its calls. */
function createRecorder() {
  const notes: string[] = [];
  const tracer: ControlTracer = {
    ask: ({ subtype }) => {
      notes.push(`asks ${subtype}`);
      return { context: TRACE, end: (error) => void notes.push(`got ${error?.code ?? 'an answer'}`) };
    },
    serve: ({ subtype, trace }, run) => {
      notes.push(`serves ${subtype} of ${trace?.traceparent}`);
      return run();
    },
  };
  return { notes, tracer };
}

function frameOf(line: object): ControlFrame {
  const frame = readControlFrame(line);
  if (AgentError.is(frame)) throw frame;
  return frame;
}

/** Two ends whose lines go through JSON. */
function connect(handler: () => Promise<object>) {
  const { notes, tracer } = createRecorder();
  const lines: object[] = [];
  const agent: ControlPeer<'agent'> = new ControlPeer({
    side: 'agent',
    handlers: {} as never,
    tracer,
    send: (line) => {
      lines.push(line);
      app.accept(frameOf(JSON.parse(JSON.stringify(line))));
    },
  });
  const app: ControlPeer<'app'> = new ControlPeer({
    side: 'app',
    handlers: { mcp_message: handler } as never,
    tracer,
    send: (line) => agent.accept(frameOf(JSON.parse(JSON.stringify(line)))),
  });
  return { agent, notes, lines };
}

const MESSAGE = { server_name: 'a', message: { jsonrpc: '2.0' as const, id: 1, method: 'ping' } };
const ANSWER = { mcp_response: { jsonrpc: '2.0', id: 1, result: {} } };

test('the span of a request crosses the pipe and ends with its answer', async () => {
  verifies('GAP-55');
  const { agent, notes, lines } = connect(async () => ANSWER);
  await agent.request('mcp_message', MESSAGE);
  expect(lines).toEqual([expect.objectContaining({ type: 'control_request', trace_context: TRACE })]);
  expect(notes).toEqual(['asks mcp_message', `serves mcp_message of ${TRACE.traceparent}`, 'got an answer']);
});

test('the span of a failed request ends with the code', async () => {
  const { agent, notes } = connect(async () => {
    throw new AgentError('overloaded', 'not now');
  });
  await expect(agent.request('mcp_message', MESSAGE)).rejects.toMatchObject({ code: 'overloaded' });
  expect(notes.at(-1)).toBe('got overloaded');
});

test('a flat request has its span next to its payload', () => {
  const flat = { type: 'control_request', request_id: '1', subtype: 'interrupt', trace_context: TRACE };
  expect(readControlFrame(flat)).toEqual({
    kind: 'request',
    requestId: '1',
    subtype: 'interrupt',
    payload: {},
    trace: TRACE,
  });
});
