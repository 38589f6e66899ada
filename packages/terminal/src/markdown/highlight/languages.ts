import { C, GO, JAVA, LUA, PHP, PYTHON, RUBY, RUST, SCRIPT, SHELL, SQL } from './code-grammars.js';
import { CSS, DIFF, DOCKER, JSON_TEXT, MARKDOWN, MARKUP, TOML, YAML } from './data-grammars.js';
import type { Grammar } from './grammar.js';

const NAMES: readonly (readonly [grammar: Grammar, names: string])[] = [
  [SCRIPT, 'js javascript mjs cjs jsx ts typescript mts cts tsx node'],
  [PYTHON, 'py python python3 pyi'],
  [SHELL, 'sh bash zsh shell console fish ksh make makefile powershell ps1'],
  [JSON_TEXT, 'json jsonc json5 jsonl'],
  [YAML, 'yaml yml'],
  [TOML, 'toml ini env dotenv properties conf cfg'],
  [CSS, 'css scss sass less'],
  [MARKUP, 'html htm xml svg vue svelte xhtml'],
  [GO, 'go golang'],
  [RUST, 'rs rust'],
  [C, 'c h cpp c++ cc cxx hpp objc cuda glsl'],
  [JAVA, 'java cs csharp c# kt kotlin swift scala dart groovy gradle'],
  [PHP, 'php'],
  [RUBY, 'rb ruby'],
  [LUA, 'lua'],
  [SQL, 'sql mysql postgres postgresql sqlite'],
  [DIFF, 'diff patch'],
  [MARKDOWN, 'md markdown mdx'],
  [DOCKER, 'docker dockerfile'],
];

const GRAMMARS: ReadonlyMap<string, Grammar> = new Map(
  NAMES.flatMap(([grammar, names]) => names.split(' ').map((name) => [name, grammar] as const)),
);

/** Undefined for an unknown language. */
export function grammarOf(language: string): Grammar | undefined {
  return GRAMMARS.get(language.toLowerCase());
}
