import type { AgentError } from '@qwen/protocol';
import { isJsonObject } from '@qwen/protocol';
import type { ModelConfig } from '../config.js';
import type { HttpRequest } from '../http/send-request.js';
import type { ModelMessage, ModelRequest, UserPart } from '../parts.js';

/** Members that an answer does not depend on. */
const OPTIONAL_MEMBERS = [
  'stream_options',
  'temperature',
  'top_p',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'reasoning_effort',
  'enable_thinking',
  'thinking_budget',
  'thinking',
  'output_config',
  'reasoning',
  'include',
  'store',
  'prompt_cache_key',
  'cache_control',
  'reasoning_content',
  'reasoning_details',
  'extra_content',
  'strict',
  'detail',
  'usage',
  'parallel_tool_calls',
] as const;
/** Where a member may be besides the top of the body. */
const NESTED_MEMBERS: ReadonlySet<string> = new Set([
  'cache_control',
  'reasoning_content',
  'reasoning_details',
  'extra_content',
  'strict',
  'detail',
]);
const TOKEN_LIMITS = ['max_tokens', 'max_completion_tokens', 'max_output_tokens'] as const;
const SMALLEST_CAP = 256;
/** With less of the window for the answer, the prompt is too long. */
const SMALLEST_ROOM = 0.1;
/** The limit of tokens has two names; the other one is tried instead. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['max_tokens', 'max_completion_tokens'],
  ['max_completion_tokens', 'max_tokens'],
]);
/** Common words count only as names: in quotes, as a path or before a colon. */
const REFUSAL_WORDS =
  /unsupported|not support|unknown|unrecogni[sz]ed|unexpected|extra (inputs|fields|parameter)|not permitted|not allowed|invalid|forbidden|does not exist|no such|not available|removed|deprecated|cannot|may only|must be set|nicht unterst\u00fctzt|\u4e0d\u652f\u6301/i;
const IMAGE_WORDS = /image|vision|multi-?modal|modalit|mmproj/i;
/** Of an endpoint whose messages only have text. */
const TEXT_ONLY_WORDS =
  /string_type|valid string|str type expected|\b(?:expected|be|type:?) (?:an? )?(?:of type )?['"`]?str(?:ing)?\b/i;
/** No part of a name, a date or an identifier. */
const NUMBER = String.raw`(?<![\w.-])(\d{3,7})(?![\w-]|\.\d)`;
const RANGE = /(?<![\w.-])[01]\s*(?:,|and|to|-|~|\u2013)\s*(\d{3,7})(?![\w-]|\.\d)/gi;
/** The first number after these is a limit, if it is near and in the same sentence. */
const LIMIT_WORDS =
  /\b(?:limit(?:ed)?|max|maximum|at most|up to|no more than|exceeds?|less than|below|(?:smaller|greater|larger) than|only supports?)\b|<=?|>|\u2264|\u8d85\u8fc7|\u6700\u5927/gi;
const NEAR = 80;
const NAMED_LIMIT = new RegExp(
  String.raw`${NUMBER}(?: tokens?)?,? (?:limit|max(?:imum)?|(?:which )?is the max(?:imum)?)\b`,
  'gi',
);
const WINDOW_WORDS = /context|window|prompt|input|messages|sequence|model_len|seq_len/i;
const REFUSED_STATUSES: ReadonlySet<unknown> = new Set([400, 404, 415, 422]);
/** llama.cpp answers with 500. */
const IMAGE_STATUSES: ReadonlySet<unknown> = new Set([...REFUSED_STATUSES, 413, 500, 501]);

const NO_IMAGE: UserPart = { type: 'text', text: '[An image was here. The model does not accept images.]' };

/**
 * Fits requests to an endpoint: adds configured values, and leaves out what the endpoint refused by name, for as long
 * as the model is in use.
 */
export class RequestShape {
  readonly #config: ModelConfig;
  readonly #dropped = new Set<string>();
  #withoutImages = false;
  #lastBody = '';
  #hadImages = false;
  #tokenCap: number | undefined;

  constructor(config: ModelConfig) {
    this.#config = config;
  }

  toRequest(request: ModelRequest): ModelRequest {
    this.#hadImages = !this.#withoutImages && request.messages.some(hasImages);
    const messages = this.#withoutImages ? request.messages.map(withoutImages) : request.messages;
    const { defaults = {}, modelId = request.model } = this.#config;
    const { thinkingTokens, ...others } = defaults;
    // The effort of a request is stronger than a configured limit of reasoning.
    const limit = thinkingTokens === undefined || request.effort !== undefined ? {} : { thinkingTokens };
    return { ...others, ...limit, ...request, model: modelId, messages };
  }

  toBody(request: HttpRequest): HttpRequest {
    const { extraBody } = this.#config;
    if (extraBody === undefined && this.#dropped.size === 0 && this.#tokenCap === undefined) {
      this.#lastBody = request.body;
      return request;
    }
    const body: unknown = JSON.parse(request.body);
    if (!isJsonObject(body)) return request;
    const merged = mergeBody(body, extraBody ?? {});
    for (const name of this.#dropped) this.#drop(merged, name);
    this.#limitTokens(merged);
    this.#lastBody = JSON.stringify(merged);
    return { ...request, body: this.#lastBody };
  }

  /** Whether the refusal names something that the next request can leave out. */
  learn({ code, message, data: { status, providerCode } }: AgentError): boolean {
    if (code === 'content_filtered') return false;
    const room = REFUSED_STATUSES.has(status) ? this.#roomIn(message) : undefined;
    if (room !== undefined) this.#tokenCap = room;
    if (room !== undefined || code === 'context_overflow') return room !== undefined;
    const isTextOnly = /\bcontent\b/.test(message) && TEXT_ONLY_WORDS.test(message);
    if (this.#hadImages && IMAGE_STATUSES.has(status) && (IMAGE_WORDS.test(message) || isTextOnly)) {
      this.#withoutImages = true;
      return true;
    }
    const cap = REFUSED_STATUSES.has(status) ? this.#capIn(message) : undefined;
    if (cap !== undefined) {
      this.#tokenCap = cap;
      return true;
    }
    if (!REFUSED_STATUSES.has(status) || !REFUSAL_WORDS.test(`${String(providerCode)} ${message}`)) return false;
    const named = OPTIONAL_MEMBERS.find(
      (name) => !this.#dropped.has(name) && names(message, name) && this.#lastBody.includes(`"${name}":`),
    );
    if (named === undefined) return false;
    this.#dropped.add(named);
    return true;
  }

  /**
   * What remains of the window for the answer, if only the sum of prompt and limit is too long: "maximum context length
   * is 32768, however you requested 41000 tokens (9000 in the messages, 32000 in the completion)".
   */
  #roomIn(message: string): number | undefined {
    const sent = this.#sentLimit();
    const stated = WINDOW_WORDS.test(message) ? numbersIn(withoutSeparators(message), new RegExp(NUMBER, 'g')) : [];
    if (sent === undefined || !stated.includes(sent)) return undefined;
    const numbers = stated.toSpliced(stated.indexOf(sent), 1);
    for (const window of numbers.toSorted((left, right) => left - right)) {
      const prompt = numbers.find((number) => number < window && number + sent > window);
      const room = prompt === undefined ? 0 : Math.floor((window - prompt) * 0.75);
      if (room > window * SMALLEST_ROOM && room < sent) return room;
    }
    return undefined;
  }

  #sentLimit(): number | undefined {
    const [, sent] = /"max_(?:completion_|output_)?tokens":(\d+)/.exec(this.#lastBody) ?? [];
    return sent === undefined ? undefined : Number(sent);
  }

  /** A limit below the one that was sent: "max_tokens: 32000 > 8192", "Range of max_tokens should be [1, 8192]". */
  #capIn(message: string): number | undefined {
    const sent = this.#sentLimit();
    if (!/max_(completion_|output_)?tokens/.test(message) || sent === undefined) return undefined;
    const text = withoutSeparators(message);
    const stated = [numbersIn(message, RANGE), limitsAfterWords(text), numbersIn(text, NAMED_LIMIT)].flat();
    const limits = stated.filter((limit) => limit >= SMALLEST_CAP && limit < sent);
    return limits.length === 0 ? undefined : Math.max(...limits);
  }

  #limitTokens(body: Record<string, unknown>): void {
    const cap = this.#tokenCap;
    if (cap === undefined) return;
    for (const name of TOKEN_LIMITS) if (typeof body[name] === 'number') body[name] = Math.min(body[name], cap);
  }

  #drop(body: Record<string, unknown>, name: string): void {
    const other = OTHER_NAMES.get(name);
    if (other !== undefined && name in body && !this.#dropped.has(other)) body[other] ??= body[name];
    delete body[name];
    if (NESTED_MEMBERS.has(name)) for (const value of Object.values(body)) dropBelow(value, name);
  }
}

/** Without the status, and with numbers such as 32,768 in one piece. */
function withoutSeparators(message: string): string {
  return message.replace(/^\D*\d{3}: /, '').replaceAll(/(?<=\d)[,_](?=\d{3}(?!\d))/g, '');
}

function limitsAfterWords(text: string): readonly number[] {
  return [...text.matchAll(LIMIT_WORDS)].flatMap(({ 0: word, index }) => {
    const start = index + word.length;
    const [sentence = ''] = text.slice(start, start + NEAR).split(/[.;]\s/, 1);
    return numbersIn(sentence, new RegExp(NUMBER, 'g')).slice(0, 1);
  });
}

function numbersIn(text: string, pattern: RegExp): readonly number[] {
  return [...text.matchAll(pattern)].map(([, number]) => Number(number));
}

function names(message: string, member: string): boolean {
  const camelCase = member.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  if (member.includes('_')) return new RegExp(`\\b(?:${member}|${camelCase})\\b`).test(message);
  return new RegExp(
    `["'\`.\\[]${member}["'\`.\\]]|\\b${member}:|(parameter|field|argument|member|supplied|\u53c2\u6570)s?[:\uff1a]? ?${member}\\b|: ${member} (is|may|must|cannot|does)\\b`,
    'i',
  ).test(message);
}

function mergeBody(body: Readonly<Record<string, unknown>>, extra: Readonly<Record<string, unknown>>) {
  const merged: Record<string, unknown> = { ...body };
  for (const [name, value] of Object.entries(extra)) {
    const before = merged[name];
    if (value === null) delete merged[name];
    else merged[name] = isJsonObject(value) && isJsonObject(before) ? { ...before, ...value } : value;
  }
  return merged;
}

/** Schemas of tools may use the same names for other things. */
function dropBelow(value: unknown, name: string): void {
  if (Array.isArray(value)) for (const item of value) dropBelow(item, name);
  if (!isJsonObject(value)) return;
  Reflect.deleteProperty(value, name);
  for (const [member, below] of Object.entries(value)) {
    if (!['parameters', 'input_schema', 'input', 'arguments'].includes(member)) dropBelow(below, name);
  }
}

function hasImages(message: ModelMessage): boolean {
  if (message.role === 'assistant') return false;
  const parts = message.role === 'tool' ? message.results.flatMap(({ content }) => content) : message.content;
  return parts.some(({ type }) => type !== 'text');
}

function withoutImages(message: ModelMessage): ModelMessage {
  if (message.role === 'assistant' || !hasImages(message)) return message;
  const toText = (part: UserPart): UserPart => (part.type === 'text' ? part : NO_IMAGE);
  if (message.role === 'user') return { ...message, content: message.content.map(toText) };
  return {
    ...message,
    results: message.results.map((result) => ({ ...result, content: result.content.map(toText) })),
  };
}
