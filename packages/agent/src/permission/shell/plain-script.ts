import { forEachChild, type HereDoc, type Redirect, type SyntaxNode } from 'unbash';
import { OBSTACLES } from './script-nodes.js';

/** All that a script may consist of to run without a question or a rule. */
const PLAIN: ReadonlySet<SyntaxNode['type']> = new Set<SyntaxNode['type']>([
  'Script',
  'Statement',
  'CompoundList',
  'AndOr',
  'Pipeline',
  'Negation',
  'Time',
  'Subshell',
  'BraceGroup',
  'Redirected',
  'Command',
  'Word',
  'Literal',
  'SingleQuoted',
  'DoubleQuoted',
  'Glob',
  'Redirect',
  'FileDescriptor',
  'HereString',
  'HereDoc',
  'HereDocDelimiter',
  'HereDocBody',
  'SimpleExpansion',
  'ParameterExpansion',
]);

/** Variables whose values are no secrets. */
const HARMLESS =
  /^\$\{?(?:HOME|PWD|OLDPWD|USER|LOGNAME|HOSTNAME|SHELL|PATH|LANG|TERM|TMPDIR|UID|EUID|PPID|SHLVL|RANDOM|SECONDS|NODE_ENV|CI|[?$#!0])\}?$/;

const MORE = 'It is more than a list of simple commands.';

/** Why a script is more than a list of simple commands with literal words; undefined if it is not. */
export function moreThanPlain(node: SyntaxNode): string | undefined {
  let found = reasonOf(node);
  forEachChild(node, (child) => {
    found ??= moreThanPlain(child);
  });
  return found;
}

function reasonOf(node: SyntaxNode): string | undefined {
  if (!PLAIN.has(node.type)) return OBSTACLES[node.type] ?? (node.type === 'Assignment' ? 'It sets a variable.' : MORE);
  switch (node.type) {
    case 'SimpleExpansion':
    case 'ParameterExpansion':
      return HARMLESS.test(node.text) ? undefined : `The value of ${node.text} is unknown.`;
    case 'Redirect':
      return isPlainRedirect(node) ? undefined : 'A redirection is unusual.';
    case 'HereDoc':
      return isLiteral(node) ? undefined : 'A here-document is not literal.';
    default:
      return undefined;
  }
}

function isPlainRedirect({ operator, descriptor, target }: Redirect): boolean {
  if (descriptor?.type === 'FileDescriptorVariable' || (descriptor?.value ?? 0) > 2) return false;
  if (operator === '<>' || operator === '<&') return false;
  return operator !== '>&' || /^[12]$|^\/dev\/null$/.test(target?.text ?? '');
}

function isLiteral({ delimiter, body }: HereDoc): boolean {
  return delimiter?.quoted === true || !/[$`\\]/.test(body.text);
}
