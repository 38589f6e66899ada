import { AgentError, type ToolKind } from '@qwen/protocol';

/** Members that mean "do not act" unless they are false. */
const PREVENTS =
  /^(?:(?:is)?dryrun|simulat(?:e|ed|ion)|pretend|preview|whatif|noop|(?:is)?(?:test|check|plan|print|show|preview|validate|diff|explain)only|onlyif\w*|if(?:not|no|un|match|exists|none)\w*|skip(?:ped)?|disabled?|cancell?(?:ed)?|aborted?|donot\w*|dont\w*|readonly|createonly|nooverwrite|noexec(?:ute)?|asksfirst|askfirst|waitforapproval)$/;
/** Members that mean the same if they are false. */
const ALLOWS =
  /^(?:(?:should|auto)?(?:execute|run|apply|commit|save|proceed)(?:now|immediately)?|enabled?|overwrite|active|confirm(?:ed)?|approved?|isapproved)$/;
/** Members that make a command run elsewhere, as another user or with other variables. */
const ELSEWHERE =
  /^(?:(?:remote)?host(?:name)?|remote|server|machine|container(?:id|name)?|image|(?:run)?as(?:user)?|user(?:name)?|chroot|env(?:ironment)?(?:variables|vars)?|stdin)$/;

/**
 * Unknown members are ignored, because models add explanations. Throws `invalid_tool_input` if ignoring one would make a
 * tool with side effects do something that the call forbids.
 */
export function refuseContrary(
  input: Readonly<Record<string, unknown>>,
  { tool, kind, known }: { readonly tool: string; readonly kind: ToolKind; readonly known: object },
): void {
  if (kind === 'read') return;
  for (const [member, value] of Object.entries(input)) {
    if (member in known) continue;
    const name = member.replaceAll(/[-_\s]/g, '').toLowerCase();
    const isOff = isNothing(value) || /^(?:false|no|off|0|never)$/i.test(String(value));
    const isContrary = isOff ? ALLOWS.test(name) && !isNothing(value) : PREVENTS.test(name);
    const isElsewhere = kind === 'execute' && ELSEWHERE.test(name) && !isOff;
    if (!isContrary && !isElsewhere) continue;
    const advice = isElsewhere ? 'Write it into the command.' : 'Omit it to run the tool, or do not call the tool.';
    const message = `${tool}: "${member}" is unknown, and ignoring it would change what the call does. ${advice}`;
    throw new AgentError('invalid_tool_input', message, { data: { member } });
  }
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
