import { AgentError } from '@qwen/protocol';
import type { ModelConfig } from '../config.js';

/** What HTTP allows in the value of a header, and in its name. */
const NOT_IN_VALUE = /[^\t\u0020-\u007e\u0080-\u00ff]/;
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** Throws `auth_failed` for a key that a header cannot contain, and `invalid_options` for such a header. */
export function checkHeaders({ apiKey, sources, headers = {} }: ModelConfig): void {
  const inKey = wrongCharacter(apiKey ?? '');
  if (inKey !== undefined) {
    const problem = `The key cannot be sent: ${sources?.apiKey ?? 'the text'} contains ${inKey}.`;
    throw new AgentError('auth_failed', `${problem} Copy the whole key again, and only the key.`);
  }
  for (const [name, value] of Object.entries(headers)) {
    const inValue = wrongCharacter(value);
    const problem = NAME.test(name) ? inValue && `contains ${inValue}` : 'has an invalid name';
    if (problem === undefined) continue;
    const advice = 'Check --model-header, QWEN_MODEL_HEADERS and extraHeaders.';
    throw new AgentError('invalid_options', `The header ${JSON.stringify(name)} ${problem}. ${advice}`);
  }
}

/** Names one character only: the rest may be a secret. */
function wrongCharacter(value: string): string | undefined {
  const found = NOT_IN_VALUE.exec(value)?.[0];
  if (found === undefined) return undefined;
  if (/[\r\n]/.test(found)) return 'a line break';
  return `the character U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
