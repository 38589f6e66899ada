import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CONTROL_REQUESTS } from '@qwen/protocol';
import {
  answers,
  asks,
  type CliFixture,
  type CliTarget,
  isResult,
  member,
  prompt,
  reply,
  request,
} from './cli-fixture.js';
import { type Line, LineProgram } from './line-program.js';
import { checkOpenAiLines } from './openai-checks.js';
import { expectEqual, type Report } from './report.js';
import { callTool, startScriptedModel } from './scripted-model.js';

const FORMATS = ['--input-format', 'stream-json', '--output-format', 'stream-json'];
const DENIED = 'The conformance kit denies this.';

export async function checkCli(report: Report, { command, folder }: CliTarget): Promise<void> {
  await using model = await startScriptedModel();
  const { PATH } = process.env;
  const env = { PATH, HOME: folder, USERPROFILE: folder, TMPDIR: process.env['TMPDIR'], ...model.env, NO_COLOR: '1' };
  const spawn = (flags: readonly string[]) => new LineProgram([...command, ...flags], { cwd: folder, env });
  // As published SDKs start a CLI.
  const start = (initialize: object, flags: readonly string[] = []) => {
    const program = spawn([...FORMATS, '--channel=SDK', ...flags]);
    program.send(request('init', 'initialize', initialize));
    return program;
  };
  for (const checkGroup of [
    checkTurns,
    checkResume,
    checkPermissions,
    checkHooks,
    checkRunningTurns,
    checkMcpServers,
    checkOpenAiLines,
  ]) {
    report.group();
    await checkGroup({ report, model, folder, spawn, start });
  }
}

async function checkTurns({ report, start }: CliFixture): Promise<void> {
  await using program = start({ hooks: null });
  await report.need('initialize', 'answers initialize with its request_id', async () => {
    const answer = await program.next('answer to initialize', answers('init'));
    expectEqual(member(answer, 'response', 'subtype'), 'success', 'response.subtype');
    CONTROL_REQUESTS.initialize.result.parse(member(answer, 'response', 'response'));
  });
  await report.check('unknown-request', 'answers an unknown control request with an error', async () => {
    program.send(request('odd', 'no_such_request'));
    const answer = await program.next('answer to an unknown request', answers('odd'));
    expectEqual(member(answer, 'response', 'subtype'), 'error', 'response.subtype');
  });
  await report.need('first-turn', 'sends system/init, the answer and a result', async () => {
    program.send(prompt('SAY(one)'));
    await program.next('system/init', ({ type, subtype }) => type === 'system' && subtype === 'init');
    const assistant = await program.next('assistant message', ({ type }) => type === 'assistant');
    if (!JSON.stringify(member(assistant, 'message', 'content')).includes('one'))
      throw new Error('the answer is missing');
    const result = await program.next('result', isResult);
    expectEqual([result['subtype'], result['is_error'], result['result']], ['success', false, 'one'], 'result');
  });
  await report.check('malformed-line', 'continues after a line that is not JSON', async () => {
    program.send('this is not JSON');
    program.send(prompt('SAY(two)'));
    let result = await program.next('result', isResult);
    // An error result for the line itself is fine.
    if (result['is_error'] === true) result = await program.next('result', isResult);
    expectEqual(result['result'], 'two', 'result of the next prompt');
  });
  await report.check('one-session', 'names one session in all messages', () => {
    const ids = new Set(program.lines.map((line) => line['session_id']).filter((id) => id !== undefined));
    expectEqual(ids.size, 1, 'different values of session_id');
  });
  await report.check('valid-lines', 'writes only valid lines to stdout', () => {
    if (program.invalid[0] !== undefined) throw new Error(program.invalid[0]);
  });
  await report.check('end', 'ends with exit code 0 when stdin closes', async () => {
    expectEqual(await program.end(), 0, 'exit code');
  });
}

async function checkResume({ report, model, start }: CliFixture): Promise<void> {
  let session = '';
  await report.need('session-id', 'names the session in its result', async () => {
    await using program = start({});
    program.send(prompt('SAY(remembered)'));
    const result = await program.next('result', isResult);
    const { session_id: id } = result;
    if (typeof id !== 'string') throw new Error('the result has no session_id');
    session = id;
    await program.end();
  });
  await report.check(
    'resume',
    '--resume ID continues the session: its ID, and its messages for the model',
    async () => {
      await using program = start({}, ['--resume', session]);
      program.send(prompt('SAY(resumed)'));
      const result = await program.next('result', isResult);
      expectEqual([result['result'], result['session_id']], ['resumed', session], 'result and session_id');
      if (!model.lastRequest.includes('SAY(remembered)')) throw new Error('the model did not get the earlier messages');
    },
  );
}

async function checkPermissions({ report, model, folder, start }: CliFixture): Promise<void> {
  await using program = start({}, ['--approval-mode', 'default']);
  const readWritten = (name: string) => readFile(join(folder, name), 'utf8').catch(() => undefined);
  const write = (name: string) => prompt(callTool('write_file', { file_path: join(folder, name), content: 'model' }));
  const question = async (name: string) => {
    program.send(write(name));
    return program.next('can_use_tool', asks('can_use_tool'));
  };
  await report.need('permission-asks', 'asks before a tool changes a file', async () => {
    await program.next('answer to initialize', answers('init'));
    const asked = await question('denied.txt');
    const { tool_name: name } = CONTROL_REQUESTS.can_use_tool.payload.parse(asked['request']);
    program.send(reply(asked['request_id'], { behavior: 'deny', message: DENIED }));
    expectEqual(name, 'write_file', 'tool_name');
    expectEqual(member(asked, 'request', 'input', 'content'), 'model', 'input.content');
  });
  await report.check('permission-deny', 'a denied call does not run, and the model gets the reason', async () => {
    const result = await program.next('result', isResult);
    expectEqual(await readWritten('denied.txt'), undefined, 'the file');
    if (!model.toolResults.some((text) => text.includes(DENIED))) throw new Error('the model did not get the reason');
    const denials = result['permission_denials'];
    if (!Array.isArray(denials) || denials.length !== 1) throw new Error('permission_denials does not list the call');
  });
  await report.check('permission-change', 'an allowed call runs with the changed input', async () => {
    const asked = await question('changed.txt');
    const updatedInput = { file_path: join(folder, 'changed.txt'), content: 'app' };
    program.send(reply(asked['request_id'], { behavior: 'allow', updatedInput }));
    await program.next('result', isResult);
    expectEqual(await readWritten('changed.txt'), 'app', 'the file');
  });
  for (const [id, title, wrong] of [
    ['permission-error', 'an error as the answer denies', { subtype: 'error', error: 'the callback failed' }],
    ['permission-malformed', 'a malformed answer denies', { subtype: 'success', response: { behavior: 'perhaps' } }],
  ] as const) {
    await report.check(id, title, async () => {
      const asked = await question(`${id}.txt`);
      program.send({ type: 'control_response', response: { ...wrong, request_id: asked['request_id'] } });
      await program.next('result', isResult);
      expectEqual(await readWritten(`${id}.txt`), undefined, 'the file');
    });
  }
}

async function checkHooks({ report, model, folder, start }: CliFixture): Promise<void> {
  const hooks = { PreToolUse: [{ matcher: 'write_file', hookCallbackIds: ['kit'] }] };
  await using program = start({ hooks }, ['--approval-mode', 'yolo']);
  const path = join(folder, 'hooked.txt');
  await report.need('hook-call', 'calls a PreToolUse hook of the app before the tool runs', async () => {
    program.send(prompt(callTool('write_file', { file_path: path, content: 'model' })));
    const called = await program.next('hook_callback', asks('hook_callback'));
    const hookSpecificOutput = {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: DENIED,
    };
    program.send(reply(called['request_id'], { hookSpecificOutput }));
    const { callback_id: id } = CONTROL_REQUESTS.hook_callback.payload.parse(called['request']);
    expectEqual(id, 'kit', 'callback_id');
    const input = member(called, 'request', 'input');
    const found = [
      member(input, 'hook_event_name'),
      member(input, 'tool_name'),
      member(input, 'tool_input', 'content'),
    ];
    expectEqual(found, ['PreToolUse', 'write_file', 'model'], 'hook_event_name, tool_name, tool_input.content');
  });
  await report.check('hook-deny', 'a call that a hook denies does not run, and the model gets the reason', async () => {
    await program.next('result', isResult);
    expectEqual(await readFile(path, 'utf8').catch(() => undefined), undefined, 'the file');
    if (!model.lastRequest.includes(DENIED)) throw new Error('the model did not get the reason');
  });
}

async function checkRunningTurns({ report, model, start }: CliFixture): Promise<void> {
  await using program = start({}, ['--include-partial-messages']);
  await report.check('partial-messages', 'streams the text with --include-partial-messages', async () => {
    await program.next('answer to initialize', answers('init'));
    program.send(prompt('SAY(streamed)'));
    await program.next('stream_event', ({ type }) => type === 'stream_event');
    await program.next('result', isResult);
    const texts = program.lines.map((line) => member(line, 'event', 'delta', 'text'));
    expectEqual(texts.filter((text) => typeof text === 'string').join(''), 'streamed', 'text deltas');
  });
  await report.check('set-mode', 'answers set_permission_mode', async () => {
    program.send(request('mode', 'set_permission_mode', { mode: 'plan' }));
    expectEqual(member(await program.next('answer', answers('mode')), 'response', 'subtype'), 'success', 'subtype');
  });
  await report.need('interrupt', 'an interrupt is answered during a model call and ends the turn', async () => {
    program.send(prompt('HANG'));
    // Rejects if it never comes.
    await Promise.race([model.hanging, program.next('model call', () => false)]);
    program.send(request('stop', 'interrupt'));
    const first = await program.next('answer to interrupt', answers('stop'));
    expectEqual(member(first, 'response', 'subtype'), 'success', 'response.subtype');
    if (!program.lines.slice(-1).some(isResult)) await program.next('result', isResult);
  });
  await report.check('after-interrupt', 'the next prompt works', async () => {
    program.send(prompt('SAY(alive)'));
    const result = await program.next('result', (line) => isResult(line) && line['result'] === 'alive');
    expectEqual(result['is_error'], false, 'is_error');
  });
}

async function checkMcpServers({ report, model, start }: CliFixture): Promise<void> {
  const servers = { kit: { type: 'sdk', name: 'kit' } };
  await using program = start({ sdkMcpServers: servers });
  const served: string[] = [];
  const serve = async (line: Line): Promise<void> => {
    const message = Object(member(line, 'request', 'message'));
    served.push(String(message.method));
    const answer = message.id === undefined ? {} : { jsonrpc: '2.0', id: message.id, ...mcpAnswer(message) };
    program.send(reply(line['request_id'], { mcp_response: answer }));
  };
  const serveUntil = async (what: string, ends: (line: Line) => boolean): Promise<Line> => {
    for (;;) {
      const line = await program.next(
        what,
        (one) => ends(one) || asks('mcp_message')(one) || asks('can_use_tool')(one),
      );
      if (asks('mcp_message')(line)) await serve(line);
      else if (asks('can_use_tool')(line))
        program.send(reply(line['request_id'], { behavior: 'allow', updatedInput: { a: 2 } }));
      else return line;
    }
  };
  await report.need('mcp-start', 'connects to MCP servers in the app over the control channel', async () => {
    await serveUntil('answer to initialize', answers('init'));
    program.send(prompt(callTool('mcp__kit__double', { a: 2 })));
    await serveUntil('result', isResult);
    if (!served.includes('initialize') || !served.includes('tools/list'))
      throw new Error(`requests: ${served.join(', ') || 'none'}`);
  });
  await report.check('mcp-call', 'calls their tools and gives the model the result', () => {
    if (!served.includes('tools/call')) throw new Error(`requests: ${served.join(', ')}`);
    if (!model.toolResults.some((text) => text.includes('double is 4')))
      throw new Error('the model did not get the result');
  });
}

function mcpAnswer({ method, params }: { readonly method?: string; readonly params?: object }): object {
  switch (method) {
    case 'initialize':
      return {
        result: {
          protocolVersion: member(params, 'protocolVersion'),
          capabilities: { tools: {} },
          serverInfo: { name: 'kit', version: '1' },
        },
      };
    case 'tools/list': {
      const inputSchema = { type: 'object', properties: { a: { type: 'number' } } };
      return { result: { tools: [{ name: 'double', description: 'Doubles a.', inputSchema }] } };
    }
    case 'tools/call':
      return { result: { content: [{ type: 'text', text: 'double is 4' }] } };
    case 'ping':
      return { result: {} };
    default:
      return { error: { code: -32601, message: 'Method not found' } };
  }
}
