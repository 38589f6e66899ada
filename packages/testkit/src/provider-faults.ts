import { brotliCompressSync, gzipSync } from 'node:zlib';
import {
  compressed,
  kept,
  type ProviderWire,
  type ResponseHead,
  toResponse,
  type WireReply,
} from './misbehaving-provider.js';

export type FaultOutcome =
  | {
      readonly answers: string;
      readonly calls?: readonly string[];
      readonly retries?: readonly string[];
      /** Only for protocols with an end marker. */
      readonly needsMarker?: true;
    }
  /** After this number of requests; without a number, after the time for retries. */
  | { readonly fails: string; readonly requests?: number };

export interface ProviderFault {
  readonly name: string;
  replies(wire: ProviderWire): readonly WireReply[];
  readonly outcome: FaultOutcome;
}

const TEXT = 'Héllo 漢字 🙂';
const PAGE = '<!doctype html><html><head><title>Sign in</title></head><body>Please sign in.</body></html>';

const events = (payloads: readonly string[], separator = '\n'): string =>
  payloads.map((payload) => `data: ${payload}${separator}${separator}`).join('');
const answerOf = (wire: ProviderWire): readonly string[] => [wire.text(TEXT), ...wire.finish(wire.reasons.stop)];
const good = (wire: ProviderWire): WireReply => ({ bytes: toResponse(events(answerOf(wire))) });
const reply = (body: string, head?: ResponseHead, rest: Omit<WireReply, 'bytes'> = {}): WireReply => ({
  bytes: toResponse(body, head),
  ...rest,
});
const json = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): WireReply =>
  reply(body, { status, headers: { 'Content-Type': 'application/json', ...headers } });
const html = (status: number): WireReply => reply(PAGE, { status, headers: { 'Content-Type': 'text/html' } });
const refusal = (status: number, headers?: Readonly<Record<string, string>>) => (wire: ProviderWire) =>
  json(status, wire.errorBody('no'), headers);
const CALL = { id: 'c1', name: 'look', json: '{"path":"a"}' };
const OTHER = { ...CALL, json: '{}' };
const withCall = (wire: ProviderWire): string =>
  events([wire.text('I look.'), wire.call(CALL, 0), ...wire.finish(wire.reasons.stop)]);

function fault(name: string, replies: ProviderFault['replies'], outcome: FaultOutcome): ProviderFault {
  return { name, replies, outcome };
}

function form(name: string, write: (wire: ProviderWire) => WireReply): ProviderFault {
  return fault(name, (wire) => [write(wire)], { answers: TEXT });
}

function healed(
  name: string,
  first: readonly ((wire: ProviderWire) => WireReply)[],
  retries: readonly string[],
): ProviderFault {
  return fault(name, (wire) => [...first.map((write) => write(wire)), good(wire)], { answers: TEXT, retries });
}

/** Faults of providers and networks, with the expected outcome for each client. */
export const PROVIDER_FAULTS: readonly ProviderFault[] = [
  form('one byte per write', (wire) => ({ ...good(wire), pace: 1 })),
  form('HTTP/1.0 without a length', (wire) =>
    reply(events(answerOf(wire)), { version: '1.0', framing: 'until-close' }),
  ),
  form('HTTP/1.1 until the connection closes', (wire) => reply(events(answerOf(wire)), { framing: 'until-close' })),
  form('a stream with a length', (wire) => reply(events(answerOf(wire)), { framing: 'length' })),
  form('events as text/plain', (wire) => reply(events(answerOf(wire)), { headers: { 'Content-Type': 'text/plain' } })),
  form('events as text/html', (wire) => reply(events(answerOf(wire)), { headers: { 'Content-Type': 'text/html' } })),
  form('events as application/json', (wire) =>
    reply(events(answerOf(wire)), { headers: { 'Content-Type': 'application/json' } }),
  ),
  form('events without a content type', (wire) => reply(events(answerOf(wire)), { headers: {} })),
  form('lines that end with CR LF', (wire) => reply(events(answerOf(wire), '\r\n'))),
  form('lines that end with CR', (wire) => reply(events(answerOf(wire), '\r'))),
  form('data: without a space', (wire) => reply(events(answerOf(wire)).replaceAll('data: ', 'data:'))),
  form('a byte order mark', (wire) => reply(`\uFEFF${events(answerOf(wire))}`)),
  form('event, id and retry lines', (wire) =>
    reply(events(answerOf(wire)).replaceAll('data: ', 'event: x\nid: 1\nretry: 5\ndata: ')),
  ),
  form('500 comments before the answer', (wire) =>
    reply(`${': alive\n\n'.repeat(500)}${events(answerOf(wire))}`, {}, { pace: 90 }),
  ),
  form('empty lines before the answer', (wire) => reply(`${'\n'.repeat(50)}${events(answerOf(wire))}`)),
  form('events of null', (wire) => reply(`data: null\n\n${events(answerOf(wire))}`)),
  form('payloads without content around it', (wire) =>
    reply(events([wire.emptyPayload, wire.text(TEXT), wire.emptyPayload, ...wire.finish(wire.reasons.stop)])),
  ),
  form('no end marker', (wire) => reply(events(answerOf(wire).filter((payload) => payload !== '[DONE]')))),
  form('an end marker of another protocol', (wire) => reply(events([...answerOf(wire), '[DONE]']))),
  form('payloads after the end', (wire) => reply(events([...answerOf(wire), wire.emptyPayload]))),
  form('a whole answer instead of a stream', (wire) => json(200, wire.whole(TEXT))),
  form('a whole answer as an event stream', (wire) => reply(wire.whole(TEXT))),
  form('a reset after the finish reason', (wire) => {
    const bytes = toResponse(events(answerOf(wire).filter((payload) => payload !== '[DONE]')));
    return { bytes, stopAt: bytes.length - 5, ending: 'reset' };
  }),
  form('a compressed stream', (wire) => compressed('gzip', gzipSync(events(answerOf(wire))))),
  form('a stream compressed with Brotli', (wire) => compressed('br', brotliCompressSync(events(answerOf(wire))))),
  form('trailers after the last chunk', (wire) => ({
    bytes: Buffer.from(
      Buffer.from(good(wire).bytes)
        .toString()
        .replace(/0\r\n\r\n$/, '0\r\nServer-Timing: x\r\n\r\n'),
    ),
  })),
  form('a payload of a megabyte without content', (wire) =>
    reply(events([`${wire.emptyPayload.slice(0, -1)},"x":"${'x'.repeat(1_000_000)}"}`, ...answerOf(wire)])),
  ),
  form('early hints before the response', (wire) => ({
    bytes: Buffer.concat([Buffer.from('HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n'), good(wire).bytes]),
  })),
  form('JSON of a payload over several lines', (wire) =>
    reply(
      answerOf(wire)
        .map((payload) => `data: ${payload.replace(',', ',\ndata: ')}\n\n`)
        .join(''),
    ),
  ),
  form('no empty line between events', (wire) => reply(events(answerOf(wire)).replaceAll('\n\n', '\n'))),
  form('lines of JSON instead of events', (wire) =>
    reply(`${answerOf(wire).join('\n')}\n`, { headers: { 'Content-Type': 'application/x-ndjson' } }),
  ),
  form('the finish reason twice', (wire) =>
    reply(
      events([
        wire.text(TEXT),
        ...wire.finish(wire.reasons.stop).filter((payload) => payload !== '[DONE]'),
        ...wire.finish(wire.reasons.stop),
      ]),
    ),
  ),
  fault('a call without a pause', (wire) => [reply(withCall(wire), {}, { pace: 1 })], {
    answers: 'I look.',
    calls: ['look'],
  }),
  fault(
    'two calls with the same index',
    (wire) => [
      reply(events([wire.call(CALL, 0), wire.call({ ...CALL, id: 'c2' }, 0), ...wire.finish(wire.reasons.stop)])),
    ],
    { answers: '', calls: ['look', 'look'] },
  ),
  fault(
    'two calls with the same id',
    (wire) => [reply(events([wire.call(CALL, 0), wire.call(OTHER, 1), ...wire.finish(wire.reasons.stop)]))],
    { answers: '', calls: ['look', 'look'] },
  ),
  healed('429 without a delay', [refusal(429)], ['rate_limited']),
  healed('429 with Retry-After in seconds', [refusal(429, { 'Retry-After': '70' })], ['rate_limited']),
  healed(
    '429 with Retry-After as a date',
    [refusal(429, { 'Retry-After': 'Tue, 01 Jan 2030 00:00:30 GMT' })],
    ['rate_limited'],
  ),
  healed('429 with retry-after-ms', [refusal(429, { 'retry-after-ms': '100' })], ['rate_limited']),
  healed('429 as a page', [() => html(429)], ['rate_limited']),
  healed(
    '503 three times',
    [refusal(503), refusal(503), refusal(503)],
    ['provider_error', 'provider_error', 'provider_error'],
  ),
  healed(
    '429, 503 and a reset',
    [refusal(429), refusal(503), () => reply('', {}, { stopAt: 0, ending: 'reset' })],
    ['rate_limited', 'provider_error', 'network_unavailable'],
  ),
  healed('502 as a page', [() => html(502)], ['provider_error']),
  healed('500 without a body', [() => json(500, '')], ['provider_error']),
  healed('408', [refusal(408)], ['timeout']),
  healed('409', [refusal(409)], ['provider_error']),
  healed('425', [refusal(425)], ['provider_error']),
  healed(
    '503 on a connection that serves the next request',
    [(wire) => kept(503, wire.errorBody('no'))],
    ['provider_error'],
  ),
  healed(
    '503 on a connection that breaks with the next request',
    [(wire) => kept(503, wire.errorBody('no')), () => reply('', {}, { stopAt: 0 })],
    ['provider_error', 'network_unavailable'],
  ),
  healed('529', [refusal(529)], ['provider_error']),
  healed('421', [refusal(421)], ['provider_error']),
  healed('424', [refusal(424)], ['provider_error']),
  healed('498', [refusal(498)], ['provider_error']),
  healed('499', [refusal(499)], ['provider_error']),
  healed('520 as a page', [() => html(520)], ['provider_error']),
  healed('no response at all', [() => reply('', {}, { stopAt: 0 })], ['network_unavailable']),
  healed('half a head', [() => reply('', {}, { stopAt: 20 })], ['network_unavailable']),
  healed(
    'a response that is not HTTP',
    [() => ({ bytes: Buffer.from('SSH-2.0-OpenSSH\r\n') })],
    ['network_unavailable'],
  ),
  healed('204', [() => reply('', { status: 204, framing: 'until-close' })], ['stream_interrupted']),
  healed(
    'a page in the middle of a stream',
    [(wire) => reply(`${events([wire.text('Hé')])}<html><body>502 Bad Gateway</body></html>`)],
    ['stream_interrupted'],
  ),
  healed(
    'lines of JSON that break off',
    [(wire) => reply(`${wire.text('Hé')}\n${wire.text('llo').slice(0, -5)}`, { headers: {} })],
    ['stream_interrupted'],
  ),
  healed('an empty body', [() => reply('')], ['stream_interrupted']),
  healed('only comments', [() => reply(': alive\n\n: alive\n\n')], ['stream_interrupted']),
  healed('a text without an end', [(wire) => reply(events([wire.text('Hé')]))], ['stream_interrupted']),
  healed(
    'a length that is not reached',
    [(wire) => reply(events(answerOf(wire)), { framing: 'length' }, { stopAt: 120 })],
    ['stream_interrupted'],
  ),
  healed(
    'invalid chunk framing',
    [
      (wire) => ({
        bytes: Buffer.from(
          `${Buffer.from(toResponse(events([wire.text('Hé')])))
            .toString()
            .replace(/0\r\n\r\n$/, '')}zz\r\n`,
        ),
      }),
    ],
    ['stream_interrupted'],
  ),
  healed('broken JSON in an event', [(wire) => reply(events([wire.text('Hé'), '{"a":']))], ['bad_model_response']),
  healed(
    'an error event before the answer',
    [(wire) => reply(events([wire.errorPayload('down', 503)]))],
    ['provider_error'],
  ),
  healed(
    'an error event in the middle',
    [(wire) => reply(events([wire.text('Hé'), wire.errorPayload('slow down', 429)]))],
    ['rate_limited'],
  ),
  healed('200 with the body of an error', [(wire) => json(200, wire.errorPayload('down', 503))], ['provider_error']),
  fault(
    'an answer without a finish reason but with an end marker, always',
    (wire) => [reply(events([wire.text('Hé'), wire.emptyPayload, ...wire.endMarker]))],
    { answers: 'Hé', retries: ['stream_interrupted'], needsMarker: true },
  ),
  fault('503 forever', (wire) => [refusal(503)(wire)], { fails: 'provider_error' }),
  fault('a text that breaks off, always', (wire) => [withoutLastChunk(toResponse(events([wire.text('Hé')])))], {
    fails: 'stream_interrupted',
    requests: 6,
  }),
  fault('Retry-After beyond the limit', (wire) => [refusal(429, { 'Retry-After': '86400' })(wire)], {
    fails: 'rate_limited',
    requests: 1,
  }),
  fault(
    '429 for a request above the limit per minute',
    () => [
      json(
        429,
        '{"error":{"message":"Request too large for m on tokens per min (TPM): Limit 30000, Requested 50000."}}',
      ),
    ],
    { fails: 'context_overflow', requests: 1 },
  ),
  ...['输入长度超过模型最大长度限制', 'token limit exceeded: 9000 > 8192', 'The sequence length 9000 exceeds 8192'].map(
    (words) =>
      fault(`400 with "${words}"`, (wire) => [json(400, wire.errorBody(words))], {
        fails: 'context_overflow',
        requests: 1,
      }),
  ),
  fault('an HTML page with 200', () => [html(200)], { fails: 'bad_model_response', requests: 1 }),
  fault('an HTML page with 404', () => [html(404)], { fails: 'model_not_found', requests: 1 }),
  fault('a redirect to a page', () => [reply('', { status: 302, headers: { Location: 'https://sign.in/' } })], {
    fails: 'invalid_request',
    requests: 1,
  }),
  fault('400', (wire) => [refusal(400)(wire)], { fails: 'invalid_request', requests: 1 }),
  fault('401', (wire) => [refusal(401)(wire)], { fails: 'auth_failed', requests: 1 }),
  fault('402', (wire) => [refusal(402)(wire)], { fails: 'permission_refused', requests: 1 }),
  fault('403 as a page', () => [html(403)], { fails: 'permission_refused', requests: 1 }),
  fault('429 without money', (wire) => [json(429, wire.errorBody('insufficient_quota'))], {
    fails: 'permission_refused',
    requests: 1,
  }),
  fault(
    '429 at the limit of spending',
    (wire) => [json(429, wire.errorBody('You reached your monthly spending limit.'))],
    {
      fails: 'permission_refused',
      requests: 1,
    },
  ),
  fault(
    '200 with an error of DashScope',
    () => [json(200, '{"code":"InvalidApiKey","message":"No API-key provided.","request_id":"x"}')],
    { fails: 'auth_failed', requests: 1 },
  ),
  fault(
    'a temporary redirect',
    (wire) => [reply(wire.errorBody('moved'), { status: 307, headers: { Location: 'https://other.example/' } })],
    {
      fails: 'invalid_request',
      requests: 1,
    },
  ),
  fault(
    '200 with an error about the key',
    () => [
      json(
        200,
        '{"error":{"message":"Incorrect API key provided","type":"authentication_error","code":"invalid_api_key"}}',
      ),
    ],
    { fails: 'auth_failed', requests: 1 },
  ),
  fault(
    'an error event about the request',
    () => [reply(events(['{"error":{"message":"bad tool schema","type":"invalid_request_error"}}']))],
    { fails: 'invalid_request', requests: 1 },
  ),
  fault(
    'an error event about the length',
    () => [
      reply(
        events(['{"error":{"message":"prompt is too long: 9 tokens > 8 maximum","type":"invalid_request_error"}}']),
      ),
    ],
    { fails: 'context_overflow', requests: 1 },
  ),
];

/** A good answer with text and a call, for faults at each of its bytes. */
export function answerWithCall(wire: ProviderWire): {
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly call: string;
} {
  const payloads = [wire.text(TEXT), wire.call(CALL, 0), ...wire.finish(wire.reasons.stop)];
  return { bytes: toResponse(events(payloads)), text: TEXT, call: CALL.name };
}

function withoutLastChunk(bytes: Uint8Array) {
  return { bytes, stopAt: bytes.length - 5 };
}
