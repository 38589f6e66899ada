import { type Annotation, createTerminalReplay, type OutputLine } from '@qwen/sdk/terminal';
import { Terminal } from '@xterm/xterm';
import { followAgent } from './agent.ts';
import { PromptBox } from './prompt-box.ts';
import { Questions } from './questions.ts';

/** Questions that can be approved or denied. */
const ANSWERABLE = ['can_use_tool', 'confirm_shell_commands', 'confirm_action', 'quit_confirmation'];

const find = <Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind => {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new Error(`the page has no ${id}`);
};

// Only the input box reads the keyboard.
const terminal = new Terminal({ cols: 100, rows: 22, disableStdin: true, scrollback: 10_000 });
terminal.open(find('screen', HTMLElement));
const replay = createTerminalReplay({ write: (text) => terminal.write(text) });

type CommandResult = Extract<OutputLine, { kind: 'command' }>['line']['result'];

const status = find('status', HTMLElement);
let session: string | undefined;

const agent = followAgent({
  line(line) {
    replay.feed(line);
    react(line);
  },
  end(exitCode) {
    questions.withdraw(undefined);
    status.textContent = `the agent has exited (${exitCode})`;
  },
});

const questions = new Questions(find('questions', HTMLElement), ({ requestId, response }) => {
  send({ type: 'control_response', response: { subtype: 'success', request_id: requestId, response } });
  find('box', HTMLTextAreaElement).focus();
});

const box = new PromptBox(find('box', HTMLTextAreaElement), find('hints', HTMLElement), {
  submit(text) {
    terminal.write(`\u001b[1m» ${text.replaceAll('\n', '\r\n  ')}\u001b[0m\r\n`);
    status.textContent = 'working';
    send({ session_id: session, input: { origin: 'user', parts: [{ type: 'text', text }] } });
  },
  cancel: () => send({ type: 'control/cancel', session_id: session, reason: 'escape' }),
  hint: (asked) => send({ type: 'command_hint_request', session_id: session, ...asked }),
});

function react(output: OutputLine): void {
  switch (output.kind) {
    case 'chunk': {
      const { session_id: id, protocol_version: version, summary } = output.line.metadata ?? {};
      session ??= id;
      for (const annotation of output.line.choices.flatMap(({ delta }) => delta.annotations ?? [])) settle(annotation);
      if (version !== undefined || summary !== undefined) rest();
      break;
    }
    case 'command':
      showResult(output.line.result);
      break;
    case 'hint':
      box.takeHints(output.line);
      break;
    case 'control':
      reactToControl(output.frame);
      break;
    case 'fatal':
      status.textContent = output.line.error.message;
      break;
    default:
      break;
  }
}

/** Commands return values, so the page renders them. */
function showResult(result: CommandResult): void {
  if (result.type === 'submit_prompt') return;
  const text = 'content' in result && typeof result.content === 'string' ? result.content : `(${result.type})`;
  const isError = 'level' in result && result.level === 'error';
  // oxlint-disable-next-line no-control-regex -- text must not steer the terminal.
  const safe = text.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ').replaceAll('\n', '\r\n');
  terminal.write(`${isError ? '\u001b[31m' : ''}${safe}\u001b[0m\r\n`);
  rest();
}

/** Nothing is running, so no question is open. */
function rest(): void {
  status.textContent = 'ready';
  questions.withdraw(undefined);
}

function settle(annotation: Annotation): void {
  if (annotation.type !== 'x-qwen-tool-display') return;
  if (annotation.status !== 'pending' && annotation.status !== 'confirming') questions.settle(annotation.tool_call_id);
}

function reactToControl(frame: Extract<OutputLine, { kind: 'control' }>['frame']): void {
  if (frame.kind === 'cancel') questions.withdraw(frame.requestId);
  if (frame.kind !== 'request') return;
  const { requestId, subtype } = frame;
  if (ANSWERABLE.includes(subtype)) questions.ask({ requestId, subtype, payload: { ...Object(frame.payload) } });
  else {
    const error = { message: `this page does not answer ${subtype}`, retryable: false };
    send({ type: 'control_response', response: { subtype: 'error', request_id: requestId, error } });
  }
}

function send(line: object): void {
  agent.send(line).catch((failed: unknown) => {
    status.textContent = String(failed);
  });
}
