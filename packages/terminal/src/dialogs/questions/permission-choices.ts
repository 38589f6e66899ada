import type { PermissionAnswer, PermissionRequest } from '@qwen/agent';
import type { PermissionDestination, PermissionUpdate } from '@qwen/protocol';
import type { Choice } from '../choice/choice-list.js';

export type PermissionChoice =
  | { readonly kind: 'answer'; readonly answer: PermissionAnswer }
  | { readonly kind: 'words'; readonly prompt: string };

/** For the model. */
const DENIED = 'The user declined.';

/** The safest approval first, the way out last. */
export function permissionChoices(request: PermissionRequest): readonly Choice<PermissionChoice>[] {
  return request.preview.type === 'plan' ? planChoices() : callChoices(request);
}

const THEIR_REASON = `${DENIED} They said: `;

export function toShownDenial(reason: string): string {
  if (reason.startsWith(THEIR_REASON)) return `You declined: ${reason.slice(THEIR_REASON.length)}`;
  return reason === DENIED ? 'You declined.' : reason;
}

/** A denial with a reason. It does not interrupt, so that the model can read it. */
export function denyWith(words: string): PermissionAnswer {
  const reason = words.trim();
  return { behavior: 'deny', message: reason === '' ? DENIED : THEIR_REASON + reason };
}

export const STOP: PermissionAnswer = { behavior: 'deny', message: DENIED, interrupt: true };

function callChoices({ suggestions, preview }: PermissionRequest): readonly Choice<PermissionChoice>[] {
  const offered = suggestions.find(({ type, rules = [] }) => type === 'allow' && rules.length > 0);
  const rules = offered?.rules ?? [];
  return [
    allow('Yes', []),
    ...(preview.type === 'edit' ? [allow('Yes, and auto-accept edits from now on', [toMode('auto-edit')])] : []),
    ...(rules.length > 0
      ? [
          allow('Yes, always for this session', [addRules(rules, 'session')], rules.join(', ')),
          allow('Yes, always for this project', [addRules(rules, 'localSettings')], rules.join(', ')),
        ]
      : []),
    { value: { kind: 'words', prompt: 'What should qwen do instead?' }, label: 'No, and say what to do instead' },
    { value: { kind: 'answer', answer: STOP }, label: 'No, and stop', detail: 'Esc' },
  ];
}

/** Each approval sets a mode: Shift-Tab reaches plan mode from auto-edit, which a plain approval would restore. */
function planChoices(): readonly Choice<PermissionChoice>[] {
  return [
    allow('Yes, and ask before changes', [toMode('default')]),
    allow('Yes, and auto-accept edits from now on', [toMode('auto-edit')]),
    { value: { kind: 'words', prompt: 'What should change in the plan?' }, label: 'No, keep planning' },
    { value: { kind: 'answer', answer: STOP }, label: 'No, and stop', detail: 'Esc' },
  ];
}

function allow(label: string, updates: readonly PermissionUpdate[], detail?: string): Choice<PermissionChoice> {
  const answer: PermissionAnswer = {
    behavior: 'allow',
    ...(updates.length > 0 && { updatedPermissions: updates }),
  };
  return { value: { kind: 'answer', answer }, label, ...(detail !== undefined && { detail }) };
}

function addRules(rules: readonly string[], destination: PermissionDestination): PermissionUpdate {
  return { type: 'addRules', behavior: 'allow', rules: [...rules], destination };
}

function toMode(mode: 'default' | 'auto-edit'): PermissionUpdate {
  return { type: 'setMode', mode, destination: 'session' };
}
