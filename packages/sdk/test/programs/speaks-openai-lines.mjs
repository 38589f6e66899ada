// A CLI of the openai dialect in miniature: what it does is what its prompts say. Plain JavaScript without dependencies:
// it must run exactly as an installed CLI would. `FAKE` in the environment says how the start goes.
const FAKE = JSON.parse(process.env.FAKE ?? '{}');
const isChunk = process.argv.includes('--output-format=stream-chunk-json');

const write = (said) => process.stdout.write(typeof said === 'string' ? said : `${JSON.stringify(said)}\n`);

function line(place, message, members = {}) {
  const { finish_reason = null, metadata = {}, ...rest } = members;
  const body = isChunk ? { delta: message } : { message: { role: 'assistant', content: null, ...message } };
  write({
    object: isChunk ? 'chat.completion.chunk' : 'chat.completion',
    id: `chatcmpl-${place.session_id}`,
    created: 1,
    model: 'fake',
    choices: message === null ? [] : [{ index: 0, ...body, finish_reason }],
    metadata: { session_id: place.session_id, prompt_id: place.prompt_id, ...metadata },
    ...rest,
  });
}

const USAGE = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
const summary = (members = {}) => ({
  num_turns: 1,
  duration_ms: 1,
  duration_api_ms: 1,
  tool_calls: 0,
  permission_denials: [],
  is_error: false,
  usage: USAGE,
  session_usage: USAGE,
  ...members,
});

/** The last message of a turn and its end, in the way of the format. */
function says(place, text, summaryMembers) {
  const metadata = { summary: summary(summaryMembers) };
  if (isChunk) {
    line(place, { role: 'assistant' });
    for (const word of text.split(/(?<= )/)) line(place, { content: word });
    line(place, {}, { finish_reason: 'stop', metadata });
    line(place, null, { usage: USAGE });
  } else {
    line(place, { content: text }, { finish_reason: 'stop', usage: USAGE });
    line(place, { content: '' }, { finish_reason: 'stop', usage: USAGE, metadata });
  }
}

function display(place, status, members = {}) {
  const call = { type: 'x-qwen-tool-display', tool_call_id: 'call_1', tool_name: 'weather' };
  line(place, { annotations: [{ ...call, status, ...members }] });
}

const running = new Set();

/** What each prompt does; the rest of the text is its argument. */
const ACTS = {
  echo: (place, rest) => says(place, rest),
  hang: (place) => running.add(place.prompt_id),
  stop: () => process.kill(process.pid, 'SIGSTOP'),
  die: () => process.exit(7),
  garbage(place) {
    write('npm WARN noise\n{"torn":\n\n{"type":"from_the_future","x":1}\n[]\n');
    write(Buffer.from([0xff, 0xfe, 10]).toString('latin1'));
    says(place, 'still here');
  },
  long: (place, rest) => says(place, 'x'.repeat(Number(rest) * 1024 * 1024)),
  much(place, rest) {
    for (let index = 0; index < Number(rest); index += 1) line(place, { content: 'y'.repeat(64 * 1024) });
    says(place, 'that was much');
  },
  fail(place) {
    const error = { code: 'rate_limited', message: 'too fast' };
    line(place, { content: 'too fast' }, { finish_reason: 'stop', metadata: { error } });
    line(place, { content: '' }, { finish_reason: 'stop', metadata: { summary: summary({ is_error: true }) } });
  },
  weather(place, rest) {
    const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: rest } };
    display(place, 'pending');
    line(place, { tool_calls: [isChunk ? { index: 0, ...call } : call] }, { finish_reason: 'tool_calls' });
    display(place, 'executing');
  },
  /** A person changed what the model asked for. */
  changed(place, rest) {
    const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"town":"Ulm"}' } };
    line(place, { tool_calls: [call] }, { finish_reason: 'tool_calls' });
    display(place, 'executing', { arguments: rest });
  },
  /** Repeats the arguments of a running call. */
  repeated(place, rest) {
    ACTS.changed(place, rest);
    display(place, 'executing', { arguments: rest });
  },
  /** A subagent calls; its messages are not told. */
  inside: (place, rest) => display(place, 'executing', { arguments: rest, parent_tool_call_id: 'task_1' }),
  denied(place, rest) {
    ACTS.weather(place, rest);
    display(place, 'canceled');
    says(place, 'nobody may');
  },
  /** Somebody is asked about the call, and says no. */
  refused(place, rest) {
    const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: rest } };
    line(place, { tool_calls: [call] }, { finish_reason: 'tool_calls' });
    for (const status of ['pending', 'confirming', 'canceled']) display(place, status);
    says(place, 'nobody may');
  },
  options: (place, _rest, request) => says(place, JSON.stringify({ options: request.options, tools: request.tools })),
  '/greet': (place, rest, request) => {
    const { command } = request.input;
    const outcome = command?.confirmationOutcome;
    const raw = { original_invocation: { raw: '/greet' } };
    if (rest === 'shell' && outcome === undefined) {
      return commanded(place, command, { type: 'confirm_shell_commands', commands_to_confirm: ['ls', 'rm x'], ...raw });
    }
    if (rest === 'action' && outcome === undefined) {
      return commanded(place, command, { type: 'confirm_action', prompt: 'Sure?', ...raw });
    }
    if (rest === 'model') {
      const parts = [{ type: 'text', text: 'hello model' }];
      commanded(place, command, { type: 'submit_prompt', parts, handled_by: 'cli' });
      return says(place, 'hello person');
    }
    if (rest === 'host') {
      return commanded(place, command, { type: 'submit_prompt', parts: [{ type: 'text', text: 'echo by the host' }] });
    }
    if (rest === 'tool') {
      return commanded(place, command, { type: 'tool', tool_request: { name: 'glob', args: { pattern: '*' } } });
    }
    const content = JSON.stringify({ outcome, approved: command?.approvedCommands, args: command?.args });
    return commanded(place, command, { type: 'message', level: 'info', content });
  },
  '/quit': (place, _rest, request) => commanded(place, request.input.command, { type: 'quit', messages: [] }),
};

function commanded(place, command, result) {
  const echo = command ?? { kind: 'slash', path: ['greet'], args: '' };
  write({ type: 'result/command', ...place, command: { kind: echo.kind, path: echo.path, args: echo.args }, result });
}

let lineNumber = 0;

function chat(request) {
  const place = { session_id: request.session_id, prompt_id: request.prompt_id };
  if (request.input.origin === 'tool_response') {
    const { response } = request.input.parts[0].function_response;
    display(place, 'success');
    return says(place, `weather: ${JSON.stringify(response)}`, { tool_calls: 1 });
  }
  if (request.tool_request) return says(place, `ran ${request.tool_request.name}`);
  const text = request.input.parts.map((part) => part.text ?? '').join('');
  const [act = '', rest = ''] = text.split(/ (.*)/s);
  const run = ACTS[act];
  if (run !== undefined) return run(place, rest, request);
  const error = { code: 'QWEN_INVALID_INPUT', message: `cannot ${act}`, line_number: lineNumber };
  line({ session_id: place.session_id }, { content: error.message }, { finish_reason: 'stop', metadata: { error } });
}

function accept(request) {
  lineNumber += 1;
  switch (request.type) {
    case undefined:
      return chat(request);
    case 'heartbeat_request':
      if (FAKE.deaf) return;
      return write({
        type: 'result/heartbeat',
        session_id: request.session_id,
        prompt_id: request.prompt_id,
        status: 'ok',
        ts: 1739430123,
      });
    case 'control/cancel': {
      const wasRunning = running.delete(request.prompt_id);
      const ids = { session_id: request.session_id, prompt_id: request.prompt_id };
      write({
        type: 'result/cancel',
        ...ids,
        status: wasRunning ? 'ok' : 'noop',
        message: wasRunning ? 'Request cancelled.' : 'idle',
      });
      if (!wasRunning) return;
      write({ type: 'x-qwen-session-event', event: 'UserCancelled', message: 'User cancelled the request.', ...ids });
      return says(ids, '', { terminal_reason: 'interrupted' });
    }
    case 'command_hint_request': {
      const { trigger, text, cursor, session_id, prompt_id } = request;
      const head = { type: 'result/command_hint', session_id, prompt_id, trigger };
      const metadata = { is_perfect_match: text === '/help', text, cursor };
      if (text === '@never') return;
      if (text.startsWith('@')) write({ ...head, status: 'loading', suggestions: [], metadata });
      return write({ ...head, status: 'ok', suggestions: [{ label: text, value: text }], metadata });
    }
    case 'command_hint_cancel':
      return write({ type: 'noted', value: request });
    case 'control_request': {
      const { subtype } = request.request;
      const response = subtype === 'initialize' ? { subtype: 'initialize', protocol_version: 1 } : null;
      write({ type: 'control_response', response: { subtype: 'success', request_id: request.request_id, response } });
      if (subtype === 'set_model') {
        write({
          type: 'control_request',
          request_id: 'r1',
          request: { subtype: 'confirm_action', prompt: 'Sure?', raw: '/x' },
        });
      }
      return;
    }
    case 'control_response':
      return write({ type: 'noted', value: request });
  }
}

if (FAKE.noise) write(FAKE.noise);
if (FAKE.fatal) {
  write({
    error: { message: 'no such model', type: 'invalid_request_error', param: null, code: 'QWEN_MODEL_NOT_FOUND' },
  });
  process.exit(1);
}
if (!FAKE.silent) {
  const capabilities = {
    tools: [],
    mcpServers: true,
    hooks: true,
    permissionControl: true,
    chatCompletionChunk: true,
    controlChannel: true,
    heartbeat: true,
    commandHints: true,
    ...FAKE.capabilities,
  };
  line({ session_id: 'receipt' }, null, {
    system_fingerprint: 'qwen-ipc/1',
    metadata: {
      protocol_version: FAKE.version ?? 1,
      capabilities,
      input_format: 'stream-json',
      argv: process.argv.slice(2),
    },
  });
}

let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const text of lines) accept(JSON.parse(text));
});
