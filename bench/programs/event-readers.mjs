// Event readers. argv: port, path, connections, events per connection. Prints `ready` when all responses have started,
// and the times when all events have arrived.
import { connect } from 'node:net';

const [port, path, connections, events] = process.argv
  .slice(2)
  .map((text) => (/^\d+$/.test(text) ? Number(text) : text));
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const AT = /"at":"(\d+)"/g;
const latenciesMs = [];
let begun = 0;
let finished = 0;
let tookMs = 0;
let isAsked = false;
let startedAt = performance.now();

for (let index = 0; index < connections; index += 1) read();

function read() {
  const socket = connect(port, '127.0.0.1');
  let rest = '';
  let isBegun = false;
  let seen = 0;
  socket.setEncoding('latin1').on('data', (text) => {
    const now = process.hrtime.bigint();
    if (!isBegun) {
      isBegun = true;
      begun += 1;
      if (begun === connections) say({ ready: true });
    }
    const frames = (rest + text).split('\n\n');
    rest = frames.pop();
    for (const frame of frames) {
      if (!frame.includes('event: agent.')) continue;
      if (seen === 0 && latenciesMs.length === 0) startedAt = Math.min(startedAt, performance.now());
      seen += 1;
      for (const [, at] of frame.matchAll(AT)) latenciesMs.push(Number(now - BigInt(at)) / 1e6);
    }
    if (seen < events || seen === Infinity) return;
    seen = Infinity;
    finished += 1;
    tookMs = performance.now() - startedAt;
    report();
  });
  socket.on('connect', () => socket.write(`GET /${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`));
}

function report() {
  if (finished < connections || !isAsked) return;
  latenciesMs.sort((a, b) => a - b);
  const at = (share) => latenciesMs[Math.min(latenciesMs.length - 1, Math.floor(share * latenciesMs.length))] ?? 0;
  say({ tookMs, p50Ms: at(0.5), p99Ms: at(0.99) });
}

process.stdin.on('data', () => {
  isAsked = true;
  report();
});
// Exits when stdin closes.
process.stdin.on('end', () => process.exit());
