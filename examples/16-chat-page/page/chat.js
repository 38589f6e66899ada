// Each turn is one stream of events. After a lost connection, the same message with the same key streams the same turn
// from the start, so nothing is lost or runs again.
import { readEvents } from './read-events.js';

const element = (id) => document.getElementById(id);
const [turns, form, message, stop, status] = ['turns', 'form', 'message', 'stop', 'status'].map(element);
let sessionId;
let requestId;

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void send(message.value);
});

stop.addEventListener('click', () => void post('/api/chat/cancel', { requestId }));

async function send(text) {
  message.value = '';
  setBusy(true);
  await play(text);
  setBusy(false);
  message.focus();
}

async function play(text) {
  const key = crypto.randomUUID();
  const turn = add(turns, 'li');
  for (let tries = 0; ; tries += 1) {
    turn.replaceChildren();
    add(turn, 'p', 'said').textContent = text;
    try {
      const response = await post('/api/chat/stream', { message: text, sessionId }, { 'idempotency-key': key });
      if (!response.ok) throw new Refusal((await response.json()).message);
      for await (const event of readEvents(response.body)) if (show(event, turn)) return;
      throw new TypeError('the stream ended in the middle of the turn');
    } catch (error) {
      if (error instanceof Refusal || tries === 20) {
        status.textContent = error.message;
        return;
      }
      status.textContent = 'connecting again';
      await new Promise((resolve) => setTimeout(resolve, Math.min(5000, 100 * 2 ** tries)));
    }
  }
}

/** Returns true at the end of the turn. */
function show(event, turn) {
  switch (event.type) {
    case 'connected':
      ({ sessionId, requestId } = event);
      status.textContent = 'working';
      return false;
    case 'Content':
      (turn.querySelector(':scope > .answer:last-child') ?? add(turn, 'div', 'answer')).append(event.value);
      return false;
    case 'ToolCallRequest':
      showCall(event.value, turn);
      return false;
    case 'ToolCallConfirmation':
      askFor(event.value, turn);
      return false;
    case 'ToolCallConfirmed':
      find(turn, event.value.callId)?.querySelector('.question')?.remove();
      return false;
    case 'ToolCallResponse':
      find(turn, event.value.callId)?.classList.add('done');
      return false;
    case 'error':
    case 'cancelled':
    case 'stream_end':
      status.textContent = event.message ?? 'ready';
      return true;
    default:
      return false;
  }
}

function showCall({ callId, name, args }, turn) {
  const call = add(turn, 'div', 'call');
  call.dataset.callId = callId;
  add(call, 'strong').textContent = name;
  add(call, 'pre').textContent = JSON.stringify(args, null, 2);
}

function askFor({ callId }, turn) {
  const question = add(find(turn, callId) ?? turn, 'p', 'question');
  for (const [behavior, label] of [
    ['allow', 'Allow'],
    ['deny', 'Deny'],
  ]) {
    const button = add(question, 'button');
    button.textContent = label;
    button.addEventListener('click', () => void post('/api/chat/approve', { requestId, callId, behavior }));
  }
}

const find = (turn, callId) => turn.querySelector(`[data-call-id="${CSS.escape(callId)}"]`);

function add(parent, name, className) {
  const child = document.createElement(name);
  if (className !== undefined) child.className = className;
  parent.append(child);
  return child;
}

function post(path, body, headers = {}) {
  return fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

function setBusy(busy) {
  element('send').disabled = busy;
  stop.disabled = !busy;
}

/** The server refused the request; a retry would not help. */
class Refusal extends Error {}
