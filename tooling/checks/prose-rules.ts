/** One wording to avoid. */
export interface Wording {
  /** As printed in the report. */
  readonly name: string;
  /** Matches it in running text; global, and case-insensitive unless case matters. */
  readonly pattern: RegExp;
  /** What to write instead. */
  readonly instead: string;
  /** Matches per 10,000 words that still pass. Default `MAX_RATE`. */
  readonly max?: number;
}

/** More matches of one wording than this per 10,000 words of a group fail the check. */
export const MAX_RATE = 3;

/** More words of comment than this per line of source fail the check. */
export const MAX_COMMENT_WORDS_PER_LINE = 0.65;

const PER = 'peer|resource|page|row|key|session|turn|call|client|process|file|folder|line|package|prompt|request|topic';

/** Wordings that are rare in the docs of other projects. */
export const WORDINGS: readonly Wording[] = [
  { name: 'whoever', pattern: /\bwho(?:so)?(?:m)?ever\b/gi, instead: 'the caller, the client, anyone who' },
  { name: 'nobody', pattern: /\bnobody\b/gi, instead: 'no one, no client, or the active voice' },
  { name: 'somebody', pattern: /\bsomebody\b/gi, instead: 'a user, a client' },
  {
    name: 'stands',
    pattern: /\b(?:stands|(?:stand|stood|standing) (?:in|at|on|beside|behind|below|above|for|there))\b/gi,
    instead: 'is in, is next to, means',
  },
  {
    name: 'is told',
    pattern: /\b(?:is|are|was|were|be|been|being|gets?) (?:not |never |also |only )?told\b/gi,
    instead: 'is notified, receives',
  },
  { name: 'tells', pattern: /\btells\b/gi, instead: 'emits, reports, notifies' },
  { name: 'hears', pattern: /\b(?:hears|(?:hear|hearing|heard) (?:of|nothing))\b/gi, instead: 'receives' },
  { name: 'says', pattern: /\bsays\b/gi, instead: 'states, returns, contains, reports' },
  {
    name: 'goes on',
    pattern: /\b(?:goes|went) on\b|\b(?:go|gone|going) on (?:with|from)\b/gi,
    instead: 'continues, resumes',
  },
  { name: 'anew', pattern: /\banew\b/gi, instead: 'again, or restarts, reconnects' },
  { name: 'a yes, a no', pattern: /\ban? (?:yes|no)\b(?![-\w])/gi, instead: 'approval, denial' },
  { name: 'comes behind', pattern: /\b(?:comes?|came|stands?|begins?) behind\b/gi, instead: 'follows, comes after' },
  {
    name: 'of its own',
    pattern: /\bof (?:its|their|our|his|her|one's|your) own\b|\bof ours\b/gi,
    instead: 'its own, separate, built-in',
  },
  { name: 'so many', pattern: /\bso (?:many|much)\b/gi, instead: 'up to, this number of' },
  {
    name: 'comes to nothing',
    pattern: /\b(?:comes?|came|coming) (?:to nothing|about)\b/gi,
    instead: 'fails, is established',
  },
  {
    name: 'is let through',
    pattern: /\b(?:is|are|was|were|be|been) (?:let through|passed over)\b/gi,
    instead: 'is accepted, is skipped',
  },
  { name: 'unasked', pattern: /\bunasked\b/gi, instead: 'without asking, automatically' },
  { name: 'the floor', pattern: /\b(?:the|a|its|their|whose|each) floors?\b/gi, instead: 'baseline' },
  {
    name: 'one owner a resource',
    pattern: new RegExp(`\\b(?:one|two|three|\\d+) [a-z]+s? an? (?:${PER})\\b`, 'gi'),
    instead: 'one owner per resource',
  },
  { name: '1 %', pattern: /\d %/g, instead: '1%' },
  { name: 'shall', pattern: /\bshall\b/gi, instead: 'must, should, or the imperative' },
  {
    name: 'wherefore',
    pattern:
      /\b(?:wherefore|whereupon|whereof|whence|thence|hence|thereof|therein|thereby|whereby|hereby|herein|hitherto|forthwith|whither|hither)\b/gi,
    instead: 'so, which, from where',
  },
  { name: 'for ever', pattern: /\bfor ever\b/gi, instead: 'forever, indefinitely' },
  { name: 'nothing but', pattern: /\b(?:nothing|none|nowhere|no one) but\b/gi, instead: 'only' },
  { name: 'way out', pattern: /\bways? out\b/gi, instead: 'exit path' },
  { name: 'on its way', pattern: /\b(?:on|under) (?:its|their|the) ways?\b/gi, instead: 'in flight, in progress' },
  { name: 'at the rim', pattern: /\bat the rims?\b/gi, instead: 'at the boundary' },
  { name: 'in earnest', pattern: /\bin earnest\b/gi, instead: 'at run time' },
  { name: 'is meant', pattern: /\b(?:is|are|was|were) meant\b(?! to)/gi, instead: 'refers to, applies to' },
  { name: 'is no business of', pattern: /\bno business\b/gi, instead: 'does not use, must not read' },
  { name: 'sign of life', pattern: /\bsigns? of life\b/gi, instead: 'heartbeat, activity' },
  { name: 'came of', pattern: /\b(?:came|comes?) of (?:an?|the|it|its|them)\b/gi, instead: 'the result of' },
  { name: 'nothing of', pattern: /\bnothing of\b/gi, instead: 'no part of, none of' },
  {
    name: 'beside',
    pattern: /\bbeside\b/gi,
    instead: 'next to, in addition to',
    max: 5,
  },
  { name: 'anybody', pattern: /\b(?:any|every)body\b/gi, instead: 'anyone, everyone, all clients', max: 5 },
  { name: 'any more', pattern: /\bany more\b/gi, instead: 'no longer', max: 5 },
  {
    name: 'what is no X',
    pattern: /\b(?:that|what|which|it) (?:is|are|was|were) no\b(?! longer)/gi,
    instead: 'is not a',
    max: 5,
  },
  { name: 'those of', pattern: /\b(?:those|the one) of\b/gi, instead: 'repeat the noun', max: 10 },
  { name: 'the words of', pattern: /\bthe words (?:of|for)\b|\bin the words\b/gi, instead: 'the text of', max: 5 },
  { name: 'is gone', pattern: /\b(?:is|are|was|were) (?:gone|over)\b(?! \d)/gi, instead: 'has exited, ended', max: 5 },
  { name: 'is left out', pattern: /\b(?:is|are|was|were|be) left out\b/gi, instead: 'is omitted', max: 5 },
  { name: 'in their order', pattern: /\bin (?:its|their) order\b/gi, instead: 'in order', max: 5 },
  { name: 'a person', pattern: /\b(?:a person|people)\b/gi, instead: 'a user, users', max: 6 },
  { name: 'gives', pattern: /\bgives\b/gi, instead: 'returns', max: 6 },
  { name: 'at once', pattern: /\bat once\b/gi, instead: 'immediately, at the same time', max: 6 },
  {
    name: 'what as a noun',
    pattern: /\b(?:about|after|and|as|before|but|by|for|from|in|is|of|on|that|to|with) what\b|(?:^|[.;:] )\s*What\b/gim,
    instead: 'a concrete noun: "the reason", "the text", "the files"',
    max: 20,
  },
];

/**
 * Ids of requirements and of internal documents. Names of the field do not match: `UTF-8`,
 * `SHA-256`, the keys F1 to F12, the control sets C0 and C1, the percentiles P50 to P99, PKCE's S256.
 */
export const INTERNAL_ID =
  /(?<![-\w./\\[])(?:(?:HOUSE|DESIGN|FEATURES|SPEC|STYLE|REDESIGN)\b(?: §)? ?[A-Z]?\d+(?:\.\d+)*|(?:GAP|CF|[A-S])-\d{2,3}|(?!F(?:[1-9]|1[0-2])\b|C[01]\b|P(?:50|9[059])\b|S256\b)(?:FB|[BCDFPST])\d{1,3})(?![-\w])/g;
