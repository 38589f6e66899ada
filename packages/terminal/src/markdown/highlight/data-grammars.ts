import { DOUBLE_QUOTED, type Grammar, HASH, keywords, NUMBER, SINGLE_QUOTED, SLASH_STAR, SLASHES } from './grammar.js';

const TRUTHS = keywords('true false null yes no on off');

export const JSON_TEXT: Grammar = {
  rules: [
    SLASHES,
    SLASH_STAR,
    { role: 'name', pattern: String.raw`"(?:[^"\\]|\\.)*"(?=\s*:)` },
    DOUBLE_QUOTED,
    TRUTHS,
    { role: 'number', pattern: String.raw`-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b` },
  ],
};

export const YAML: Grammar = {
  rules: [
    HASH,
    { role: 'name', pattern: String.raw`^\s*(?:- +)*[\w."'/$][\w."'/$-]*(?=:(?:\s|$))` },
    DOUBLE_QUOTED,
    SINGLE_QUOTED,
    { role: 'type', pattern: String.raw`(?<=\s)[&*!][\w-]+` },
    TRUTHS,
    NUMBER,
  ],
};

export const TOML: Grammar = {
  rules: [
    { role: 'comment', pattern: '^\\s*[#;].*' },
    HASH,
    { role: 'keyword', pattern: String.raw`^\s*\[.*\]` },
    { role: 'name', pattern: String.raw`^\s*(?:export )?[\w."'-]+(?=\s*=)` },
    { role: 'string', pattern: '"""', until: '"""' },
    DOUBLE_QUOTED,
    SINGLE_QUOTED,
    TRUTHS,
    NUMBER,
  ],
};

export const CSS: Grammar = {
  rules: [
    SLASH_STAR,
    // Some dialects have `//` comments; it is not one in a URL.
    { role: 'comment', pattern: String.raw`(?<!:)\/\/.*` },
    DOUBLE_QUOTED,
    SINGLE_QUOTED,
    { role: 'keyword', pattern: String.raw`@[\w-]+|![a-z]+` },
    { role: 'name', pattern: String.raw`(?<![\w-])(?:--?[\w-]+|[\w-]+(?=\s*:\s))` },
    { role: 'number', pattern: String.raw`#[\da-fA-F]{3,8}\b|-?\b\d+(?:\.\d+)?(?:%|[a-z]+\b)?` },
    { role: 'type', pattern: String.raw`[.#][A-Za-z_][\w-]*` },
    { role: 'call', pattern: String.raw`(?<![\w-])[\w-]+(?=\()` },
  ],
};

export const MARKUP: Grammar = {
  rules: [
    { role: 'comment', pattern: '<!--', until: '-->' },
    { role: 'keyword', pattern: String.raw`<[!?/]?[\w:.-]+|\/?>|\?>` },
    { role: 'name', pattern: String.raw`(?<![\w:@.-])[\w:@.-]+(?==)` },
    { role: 'string', pattern: String.raw`(?<==)"`, until: '"' },
    { role: 'string', pattern: String.raw`(?<==)'`, until: "'" },
    { role: 'number', pattern: String.raw`&#?\w+;` },
  ],
};

export const DIFF: Grammar = {
  rules: [
    { role: 'comment', pattern: '^(?:diff |index |--- |\\+\\+\\+ ).*' },
    { role: 'name', pattern: '^@@.*' },
    { role: 'added', pattern: String.raw`^\+.*` },
    { role: 'removed', pattern: '^-.*' },
  ],
};

export const MARKDOWN: Grammar = {
  rules: [
    { role: 'keyword', pattern: '^ {0,3}#{1,6} .*' },
    { role: 'comment', pattern: '^ {0,3}>.*' },
    { role: 'name', pattern: String.raw`^\s*(?:[-*+]|\d+[.)])(?=\s)` },
    { role: 'string', pattern: '```', until: '```' },
    { role: 'string', pattern: '`[^`]*`' },
    { role: 'type', pattern: String.raw`\*\*[^*]+\*\*` },
  ],
};

export const DOCKER: Grammar = {
  rules: [
    HASH,
    {
      role: 'keyword',
      pattern: String.raw`^\s*(?:ADD|ARG|CMD|COPY|ENTRYPOINT|ENV|EXPOSE|FROM|HEALTHCHECK|LABEL|RUN|SHELL|STOPSIGNAL|USER|VOLUME|WORKDIR)\b|\bAS\b`,
    },
    DOUBLE_QUOTED,
    SINGLE_QUOTED,
    { role: 'name', pattern: String.raw`\$(?:\{[^}]*\}?|\w+)` },
    NUMBER,
  ],
};
