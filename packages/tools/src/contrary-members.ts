import { AgentError, isJsonObject, type ToolKind } from '@qwen/protocol';

/** Members that mean "do not act" unless they are false. */
const PREVENTS =
  /^(?:(?:is)?dryrun|simulat(?:e|ed|ion)|pretend|preview|whatif|noop|(?:is)?(?:test|check|plan|print|show|preview|validate|diff|explain)only|onlyif\w*|if(?:not|no|un|match|exists|none)\w*|skip(?:ped)?|disabled?|cancell?(?:ed)?|aborted?|donot\w*|dont\w*|readonly|createonly|nooverwrite|noexec(?:ute)?|asksfirst|askfirst|waitforapproval)$/;
/** Members that mean the same if they are false. */
const ALLOWS =
  /^(?:(?:should|auto)?(?:execute|run|apply|commit|save|proceed)(?:now|immediately)?|enabled?|overwrite|active|confirm(?:ed)?|approved?|isapproved)$/;
/** Members that make a command run elsewhere, as another user or with other variables. */
const ELSEWHERE =
  /^(?:(?:remote)?host(?:name)?|remote|server|machine|container(?:id|name)?|image|(?:run)?as(?:user)?|user(?:name)?|chroot|env(?:ironment)?(?:variables|vars)?|stdin)$/;

/** Members that state how or where text goes in, and values that add it to the old text. */
const HOW = /^(?:edit|write|insert)?(?:mode|type|op|operation|action|command|method)$/;
const WHERE = /^(?:insert(?:ion)?)?(?:position|where|placement|location|insert|at)$/;
const ADDS = /^(?:insert|append|prepend|add.?(?:to|before|after|above|below|lines?)|before|after)/i;
const PLACES = /^(?:above|below|(?:at.?)?(?:top|bottom|start|begin|end))/i;
const ADDING = /^(?:(?:insert|append|prepend)\w*|(?:add)?(?:before|after|above|below)|keep(?:old|anchor|original)\w*)$/;
/** Members that limit the text of a whole file to a part. */
const LINES =
  /^(?:start|end|first|last|from|to|begin|stop|at)?(?:ing)?(?:line|row|column|offset|range)(?:no|num(?:ber)?|range|start|end|from|to|offset)?s?$/;
const PART =
  /^(?:start|end|position|anchor|(?:insert|prepend)\w*|append\w+|(?:add|at)?(?:before|after|end|start)|(?:old|search|find)(?:str(?:ing)?|text|content|code)?|patch|diff|edits?|partial|merge)$/;
const PART_MODES = /^(?:edit|patch|str_?replace|modify|partial|merge)/i;
/** Members that make the old text of an edit match other places. */
const PATTERN =
  /^(?:(?:is|use|as)?(?:regex|regexp|regularexpression|glob|wildcards?)|(?:match)?wholewords?(?:only)?|wordboundar(?:y|ies))$/;
const ANY_CASE = /^(?:(?:ignore|any)case|(?:is)?caseinsensitive)$/;
const EXACT_CASE = /^(?:(?:match|exact)case|(?:is)?casesensitive)$/;

/**
 * Unknown members are ignored, because models add explanations. Throws `invalid_tool_input` if ignoring one would make a
 * tool with side effects do something that the call forbids.
 */
export function refuseContrary(input: Members, { tool, kind, known }: Reader): void {
  if (kind === 'read') return;
  for (const [member, value] of Object.entries(input)) {
    if (Object.hasOwn(known, member)) continue;
    const name = member.replaceAll(/[-_\s]/g, '').toLowerCase();
    const isOff = isNothing(value) || /^(?:false|no|off|0|never)$/i.test(String(value));
    const advice = adviceOn(input, { tool, kind, name, value, isOff });
    if (advice === undefined) continue;
    const message = `${tool}: "${member}" is unknown, and ignoring it would change what the call does. ${advice}`;
    throw new AgentError('invalid_tool_input', message, { data: { member } });
  }
  const { edits } = input;
  if (tool !== 'edit' || !Array.isArray(edits)) return;
  for (const edit of edits) if (isJsonObject(edit)) refuseContrary(edit, { tool, kind, known });
}

type Members = Readonly<Record<string, unknown>>;

interface Reader {
  readonly tool: string;
  readonly kind: ToolKind;
  readonly known: object;
}

interface UnknownMember extends Omit<Reader, 'known'> {
  /** In lower case, without separators. */
  readonly name: string;
  readonly value: unknown;
  readonly isOff: boolean;
}

/** Undefined if the member can be ignored. */
function adviceOn(input: Members, unknown: UnknownMember): string | undefined {
  const { tool, kind, name, value, isOff } = unknown;
  if (isOff ? ALLOWS.test(name) && !isNothing(value) : PREVENTS.test(name)) {
    return 'Omit it to run the tool, or do not call the tool.';
  }
  if (kind === 'execute' && ELSEWHERE.test(name) && !isOff) return 'Write it into the command.';
  if (tool === 'write_file' && isPartOfFile(unknown)) {
    return 'write_file replaces the whole file. Omit it to do so, or use edit to change a part.';
  }
  return tool === 'edit' ? adviceOnEdit(input, unknown) : undefined;
}

function isPartOfFile({ name, value, isOff }: UnknownMember): boolean {
  if (isAddition(name, value) || (HOW.test(name) && PART_MODES.test(String(value)))) return true;
  const isSet = !isOff || (typeof value === 'number' && name.startsWith('insert'));
  return isSet && (LINES.test(name) || PART.test(name));
}

function isAddition(name: string, value: unknown): boolean {
  if (typeof value !== 'string' || !(HOW.test(name) || WHERE.test(name))) return false;
  return ADDS.test(value) || (WHERE.test(name) && PLACES.test(value));
}

function adviceOnEdit(input: Members, { name, value, isOff }: UnknownMember): string | undefined {
  const { old_string: oldText, insert_line: line, replace_all: isAll, expected_replacements: count } = input;
  if (typeof oldText !== 'string' || oldText === '') return undefined;
  const isReplaced = line === undefined && !/^(?:replace|overwrite)/i.test(String(value));
  if (isReplaced && (isAddition(name, value) || (!isOff && ADDING.test(name)))) {
    return 'edit replaces old_string. To insert text, repeat old_string in new_string and omit this member.';
  }
  if (!isOff && PATTERN.test(name)) return 'edit takes old_string literally. Send the exact text of each place.';
  const isAnyCase = isOff ? EXACT_CASE.test(name) && !isNothing(value) : ANY_CASE.test(name);
  const isSeveral = isAll === true || count !== undefined;
  return isAnyCase && isSeveral ? 'edit only finds the same case. Send one edit for each spelling.' : undefined;
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
