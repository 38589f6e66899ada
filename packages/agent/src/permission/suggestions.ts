import type { PermissionSuggestion, ToolKind } from '@qwen/protocol';

const WORDS: Readonly<Record<ToolKind, { readonly allow: string; readonly deny: string }>> = {
  read: { allow: 'Allow reading', deny: 'Do not allow reading' },
  edit: { allow: 'Allow this change', deny: 'Reject this change' },
  execute: { allow: 'Allow this command', deny: 'Do not run it' },
  network: { allow: 'Allow this request', deny: 'Do not send it' },
  other: { allow: 'Allow', deny: 'Deny' },
};

/**
 * The answers that a person could be offered (M-52, GAP-23): allow and deny for every kind, for edits the input to be
 * changed by hand, and with `rules` that this be allowed for the rest of the session by exactly these rules (S24).
 * Null when the input is not an object.
 */
export function suggestionsFor(
  kind: ToolKind,
  input: unknown,
  rules: readonly string[] = [],
): PermissionSuggestion[] | null {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return null;
  const { allow, deny } = WORDS[kind];
  const suggestions: PermissionSuggestion[] = [
    { type: 'allow', label: allow },
    { type: 'deny', label: deny },
  ];
  if (kind === 'edit') suggestions.push({ type: 'modify', label: 'Change it first', modifiedInput: input });
  if (rules.length > 0) {
    const label = 'Always allow in this session';
    suggestions.push({
      type: 'allow',
      label,
      description: rules.join(', '),
      rules: [...rules],
      destination: 'session',
    });
  }
  return suggestions;
}
