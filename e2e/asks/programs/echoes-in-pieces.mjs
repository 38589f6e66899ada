// A CLI that says the prompt back in one line, written in uneven pieces that split characters.
import { once } from 'node:events';

const SESSION = { uuid: 'u', session_id: '11111111-2222-4333-8444-555555555555' };
const LF = 10;

async function write(line) {
  const bytes = Buffer.from(`${JSON.stringify({ ...SESSION, ...line })}\n`);
  for (let start = 0, size = 1; start < bytes.length; start += size, size = (size * 7 + 3) % 65_537) {
    if (!process.stdout.write(bytes.subarray(start, start + size))) await once(process.stdout, 'drain');
  }
}

async function accept({ type, request_id, message }) {
  if (type === 'control_request') {
    const response = { subtype: 'success', request_id, response: { subtype: 'initialize', protocol_version: 1 } };
    await write({ type: 'control_response', response });
  }
  if (type !== 'user') return;
  const content = [{ type: 'text', text: message.content }];
  await write({ type: 'assistant', message: { id: 'm', role: 'assistant', model: 'echo', content } });
  await write({ type: 'result', subtype: 'success', is_error: false, duration_ms: 1 });
}

let pieces = [];
for await (const chunk of process.stdin) {
  let rest = chunk;
  for (let end = rest.indexOf(LF); end >= 0; end = rest.indexOf(LF)) {
    const line = Buffer.concat([...pieces, rest.subarray(0, end)]);
    pieces = [];
    rest = rest.subarray(end + 1);
    await accept(JSON.parse(line));
  }
  pieces.push(rest);
}
