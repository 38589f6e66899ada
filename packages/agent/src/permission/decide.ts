import type { PermissionMode } from '@qwen/protocol';
import type { CallFacts } from './call-facts.js';
import { protectedFileOf } from './protected-files.js';
import type { RuleMatch, RuleSet } from './rule-set.js';
import { isPersonalSecret } from './sensitive-files.js';
import { dangerOf } from './shell/danger.js';
import type { ShellCommand } from './shell/shell-reading.js';
import type { CallPart } from './shell-coverage.js';

export interface DecisionInput {
  readonly mode: PermissionMode;
  readonly rules: RuleSet;
  readonly call: CallFacts;
}

export type DecidedBy =
  | 'deny_rule'
  | 'secret'
  | 'ask_rule'
  | 'plan'
  | 'question'
  | 'yolo'
  /** It runs in the sandbox, or would leave it. */
  | 'sandbox'
  | 'allow_rule'
  /** The server changed or added the tool after it was allowed. */
  | 'changed_tool'
  | 'trusted_tool'
  | 'auto-edit'
  | 'read_only'
  /** A PreToolUse hook allowed or requested it. */
  | 'hook'
  | 'default';

export interface Decision {
  readonly behavior: 'allow' | 'deny' | 'ask';
  readonly decidedBy: DecidedBy;
  readonly rule?: string;
  readonly reason: string;
  /** The path outside the workspace, or the protected file, that causes the question. */
  readonly blockedPath: string | null;
}

/**
 * Pure; links are resolved and the command is parsed before. Without anyone to answer, the caller turns `ask` into a
 * deny.
 */
export function decide({ mode, rules, call }: DecisionInput): Decision {
  const denied = rules.denies(call);
  if (denied?.certainty === 'match') return byRule('deny', denied);
  const secret = rules.secretOf(call);
  if (secret !== undefined) {
    return { ...deny('secret', `${secret} contains secrets of this program or of a process.`), blockedPath: secret };
  }
  const limits = rules.limitsOf(call);
  if (limits !== undefined) return deny('deny_rule', `Only these calls are offered: ${limits.join(', ')}.`);
  const asked = rules.asks(call);
  if (asked !== undefined) return byRule('ask', asked);
  if (mode === 'plan' && !isReadOnlyCall({ mode, rules, call })) {
    return deny('plan', 'Plan mode permits read-only work. Present a plan instead.');
  }
  if (denied !== undefined) return byRule('ask', denied);
  const reached = rules.mayReachSecret(call);
  if (reached !== undefined) {
    return { ...asking(`${reached} may show secrets of this program or of a process.`, reached), decidedBy: 'secret' };
  }
  if (call.isQuestion === true) return { ...asking('This is a question for you.', null), decidedBy: 'question' };
  const { place, why = 'It has all your rights there.' } = call.confinement ?? {};
  if (place === 'outside') return { ...asking(`Runs outside the sandbox. ${why}`, null), decidedBy: 'sandbox' };
  if (mode === 'yolo') return allow('yolo', 'Mode yolo allows everything.');

  const state = call.definition?.state() ?? 'approved';
  if (state === 'changed') return changed(`The server changed ${call.toolName} since it was allowed.`);
  if (state === 'new' && !rules.allowsByName(call)) {
    return changed(`${call.toolName} is new: the server did not have it when its tools were allowed.`);
  }
  const rule = rules.allows(call);
  if (rule !== undefined) return { ...allow('allow_rule', `Rule ${rule} allows it.`), rule };
  if (call.isTrusted === true) return allow('trusted_tool', 'Its server is trusted.');
  if (place === 'inside' && !namesSecret(call)) return allow('sandbox', 'It runs in the sandbox.');
  return call.command === undefined ? decideFiles(mode, call) : decideCommand({ mode, rules, call });
}

/** Requests to the network read, too: without a rule, they are asked about. */
function isReadOnlyCall({ mode, rules, call }: DecisionInput): boolean {
  return (
    call.kind === 'read' ||
    call.kind === 'network' ||
    (call.command !== undefined && rules.covers(call, mode).isReadOnly)
  );
}

function decideFiles(mode: PermissionMode, call: CallFacts): Decision {
  const isInside = call.paths.every((path) => path.insideRoots);
  const isEdit = call.kind === 'edit' && call.paths.length > 0;
  if (mode === 'auto-edit' && isEdit && isInside && protectedFileOf(call) === undefined) {
    return allow('auto-edit', 'Mode auto-edit allows edits in the workspace.');
  }
  const secret = call.paths.find(isPersonalSecret)?.path;
  if (call.kind !== 'read' || !isInside) return ask(call);
  if (secret !== undefined) return asking(`${secret} may contain keys or passwords.`, secret);
  return allow('read_only', 'Reading files in the workspace needs no approval.');
}

function decideCommand({ mode, rules, call }: DecisionInput): Decision {
  const { isCovered, isReadOnly, parts, obstacle } = rules.covers(call, mode);
  if (isCovered) {
    const rule = parts.find((part) => part.rule !== undefined)?.rule;
    if (rule === undefined && isReadOnly) {
      return allow('read_only', 'Reading files in the workspace needs no approval.');
    }
    if (rule === undefined) return allow('auto-edit', 'Mode auto-edit allows edits in the workspace.');
    const reason = parts.length === 1 ? `Rule ${rule} allows it.` : 'Every part of it is allowed.';
    return { ...allow('allow_rule', reason), rule };
  }
  const asked = ask(call);
  const worst = worstPart(parts, call.shell?.reading.commands ?? []);
  const isGrave = worst !== undefined && worst.danger > 3;
  if (asked.blockedPath !== null && !isGrave) return asked;
  if (obstacle !== undefined && !isGrave) return asking(obstacle, null);
  if (worst === undefined) return asking(obstacle ?? asked.reason, null);
  const reason = obstacle ?? worst.part.reason;
  return asking(
    parts.length === 1 ? reason : `${worst.part.text}: ${reason}`,
    worst.part.blockedPath ?? asked.blockedPath,
  );
}

function namesSecret({ paths, shell }: CallFacts): boolean {
  return [...paths, ...(shell?.paths.values() ?? [])].some(isPersonalSecret);
}

interface JudgedPart {
  readonly part: CallPart;
  readonly danger: number;
}

/** The parts of commands come first, in their order. */
function worstPart(parts: readonly CallPart[], commands: readonly ShellCommand[]): JudgedPart | undefined {
  let worst: JudgedPart | undefined;
  for (const [index, part] of parts.entries()) {
    if (part.behavior !== 'ask') continue;
    const command = commands[index];
    const blocked = part.blockedPath === undefined ? 0 : 2;
    const danger = Math.max(blocked, command === undefined ? 1 : dangerOf(command));
    if (worst === undefined || danger > worst.danger) worst = { part, danger };
  }
  return worst;
}

function allow(decidedBy: DecidedBy, reason: string): Decision {
  return { behavior: 'allow', decidedBy, reason, blockedPath: null };
}

function deny(decidedBy: DecidedBy, reason: string): Decision {
  return { behavior: 'deny', decidedBy, reason, blockedPath: null };
}

function asking(reason: string, blockedPath: string | null): Decision {
  return { behavior: 'ask', decidedBy: 'default', reason, blockedPath };
}

function changed(reason: string): Decision {
  return { ...asking(reason, null), decidedBy: 'changed_tool' };
}

function byRule(behavior: 'deny' | 'ask', { rule, certainty }: RuleMatch): Decision {
  if (behavior === 'deny') return { ...deny('deny_rule', `Rule ${rule} forbids it.`), rule };
  const reason = certainty === 'match' ? `Rule ${rule} asks first.` : `Rule ${rule} might apply.`;
  return { behavior, decidedBy: 'ask_rule', rule, reason, blockedPath: null };
}

function ask(call: CallFacts): Decision {
  const outside = call.paths.find((path) => !path.insideRoots)?.path;
  if (outside !== undefined) return asking(`${outside} is outside the workspace.`, outside);
  const protectedFile = protectedFileOf(call);
  if (protectedFile !== undefined) return asking(`${protectedFile} is protected.`, protectedFile);
  return asking(call.host === undefined ? REASONS[call.kind] : `Connects to ${call.host}.`, null);
}

const REASONS: Readonly<Record<CallFacts['kind'], string>> = {
  read: 'Reads files.',
  edit: 'Changes files.',
  execute: 'Runs a program.',
  network: 'Accesses the network.',
  other: 'Unknown effect.',
};
