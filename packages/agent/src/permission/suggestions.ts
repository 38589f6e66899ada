import type { PermissionSuggestion, ToolKind } from '@qwen/protocol';

const WORDS: Readonly<Record<ToolKind, { readonly allow: string; readonly deny: string }>> = {
  read: { allow: 'Allow reading', deny: 'Do not allow reading' },
  edit: { allow: 'Allow this change', deny: 'Reject this change' },
  execute: { allow: 'Allow this command', deny: 'Do not run it' },
  network: { allow: 'Allow this request', deny: 'Do not send it' },
  other: { allow: 'Allow', deny: 'Deny' },
};

/** Null if the input is not an object. */
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
  if (kind === 'edit') suggestions.push({ type: 'modify', label: 'Edit first', modifiedInput: input });
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
