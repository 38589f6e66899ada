/** Classes and functions of the Gemini client that make no request of ours: `models.generateContentStream` is all we call. */
const UNUSED = words(`
  Batches Caches Chats FileSearchStores Live NodeFiles Operations Tokens Tunings
  NodeDownloader NodeUploader NodeWebSocket NodeWebSocketFactory
  GeminiNextGenAgents GeminiNextGenCredentials GeminiNextGenEnvironments GeminiNextGenInteractions
  GeminiNextGenTriggers GeminiNextGenVoices GeminiNextGenWebhooks buildGoogleGenAIClient`);
/** Methods of its `Models`, likewise. */
const UNUSED_METHODS = words(`
  computeTokens countTokens delete get listInternal update recontextImage segmentImage
  editImageInternal embedContentInternal generateImagesInternal generateVideosInternal upscaleImageInternal`);

/** A list of constants: declared, then filled by a function of its own. */
const ENUMERATION = /^var (\w+);\n\(function \(\1\) \{([\s\S]*?)^\}\)\(\1 \|\| \(\1 = \{\}\)\);$/gm;

/**
 * The source of the Gemini client without the rest of Google's API, which is four fifths of it: what we do not call stays
 * as an empty class, function or method, and the bundler leaves out what nobody needs then. Throws when the client no
 * longer has one of them; each starts and ends a line, without indentation or, of `Models`, with one step of it.
 */
export function withoutUnusedParts(source: string): string {
  const emptied = UNUSED.reduce((text, name) => empty(text, `(?:class|function) ${name}\\b`), source);
  const models = /^class Models [\s\S]*?^\}/m;
  return emptied
    .replace(models, (text) => UNUSED_METHODS.reduce((rest, name) => empty(rest, `    (?:async )?${name}\\(`), text))
    .replaceAll(ENUMERATION, 'var $1 = /* @__PURE__ */ (function ($1) {$2 return $1; })({});');
}

function empty(source: string, start: string): string {
  const indent = start.replace(/\S.*/, '');
  const whole = new RegExp(`^(${start}.*)\\{\\n[\\s\\S]*?^${indent}\\}$`, 'm');
  if (!whole.test(source)) throw new Error(`The Gemini client has no ${start.trim()}`);
  return source.replace(whole, '$1{}');
}

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
