import type { Inputs } from './inputs.ts';
import type { Ending } from './run-agent.ts';
import { type Annotation, LEVELS, type Level, type WorkflowLog } from './workflow-log.ts';

/** GitHub shows this many annotations of each level in a step. */
const ANNOTATIONS = 10;
/** GitHub accepts 1 MiB in a summary and in the outputs of a job. */
const TEXT_CHARS = 200_000;

/** Sets the outputs, writes the summary and the annotations. Returns the exit code of the step. */
export function report(
  ending: Ending,
  { inputs, log }: { readonly inputs: Inputs; readonly log: WorkflowLog },
): number {
  const { exitCode, result } = ending;
  const structured = result?.structured_output;
  const annotations = readAnnotations(structured);
  const isFailed = exitCode !== 0 || result === undefined || result.is_error === true;
  const reason = result?.error?.message ?? (ending.failure || `qwen exited with code ${exitCode} without a result.`);
  const message = isFailed ? reason : (result.result ?? '');
  const fails = annotations.filter(
    ({ level }) => level === 'failure' || (inputs.failOn === 'warning' && level === 'warning'),
  );
  const isRejected = !isFailed && inputs.failOn !== 'none' && fails.length > 0;
  const conclusion = isRejected ? 'findings' : 'success';
  log.setOutput('conclusion', isFailed ? 'failure' : conclusion);
  log.setOutput('final-message', isFailed ? '' : cut(message));
  log.setOutput('structured-output', structured === undefined ? '' : JSON.stringify(structured));
  log.setOutput('session-id', ending.sessionId ?? '');
  log.setOutput('usage', JSON.stringify(result?.usage ?? {}));
  log.setOutput('cost-usd', result?.total_cost_usd === undefined ? '' : String(result.total_cost_usd));
  if (isFailed) log.annotate({ level: 'failure', title: 'qwen failed', message });
  for (const denial of (result?.permission_denials ?? []).slice(0, ANNOTATIONS)) {
    const title = `qwen: ${denial.tool_name} was denied`;
    log.annotate({ level: 'warning', title, message: denial.reason ?? '' });
  }
  for (const level of ['failure', 'warning', 'notice'] as const) {
    for (const one of annotations.filter((each) => each.level === level).slice(0, ANNOTATIONS)) log.annotate(one);
  }
  if (inputs.isOn('summary')) log.summarize(summaryOf(ending, { message: cut(message), isFailed, annotations }));
  if (isFailed) return exitCode === 0 ? 1 : exitCode;
  return isRejected ? 1 : 0;
}

interface Findings {
  readonly message: string;
  readonly isFailed: boolean;
  readonly annotations: readonly Annotation[];
}

function summaryOf({ result, model, sessionId }: Ending, { message, isFailed, annotations }: Findings): string {
  const { usage = {}, total_cost_usd, num_turns, permission_denials = [], structured_output } = result ?? {};
  const rows: readonly (readonly [string, string | number | undefined])[] = [
    ['Model', model],
    ['Model calls', num_turns],
    ['Input tokens', usage['input_tokens']],
    ['Output tokens', usage['output_tokens']],
    ['Cost', total_cost_usd === undefined ? undefined : `$${total_cost_usd.toFixed(4)}`],
    ['Denied calls', permission_denials.length || undefined],
    ['Session', sessionId],
  ];
  const table = rows.filter(([, value]) => value !== undefined).map(([name, value]) => `| ${name} | ${value} |`);
  const found = annotations.map(({ level, path, startLine, message: text }) => {
    const place = path === undefined ? '' : ` \`${path}${startLine === undefined ? '' : `:${startLine}`}\``;
    return `- **${level}**${place}: ${text.replaceAll('\n', ' ')}`;
  });
  const text =
    structured_output === undefined || isFailed ? message : fence(JSON.stringify(structured_output, null, 2));
  const body = found.length > 0 ? found.join('\n') : text;
  return [`## qwen: ${isFailed ? 'failed' : 'done'}`, body, ['| | |', '|---|---|', ...table].join('\n')].join('\n\n');
}

function fence(json: string): string {
  return `\`\`\`json\n${cut(json)}\n\`\`\``;
}

function cut(text: string): string {
  return text.length > TEXT_CHARS ? `${text.slice(0, TEXT_CHARS)}\n\n[cut]` : text;
}

/** The findings in `annotations` of the structured output; anything else is skipped. */
function readAnnotations(structured: unknown): Annotation[] {
  const list = memberOf(structured, 'annotations');
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown) => {
    const message = memberOf(item, 'message');
    const level = memberOf(item, 'annotation_level');
    if (typeof message !== 'string' || !isLevel(level)) return [];
    const [path, title] = [memberOf(item, 'path'), memberOf(item, 'title')];
    return [
      {
        level,
        message,
        path: typeof path === 'string' ? path : undefined,
        title: typeof title === 'string' ? title : undefined,
        startLine: lineNumber(memberOf(item, 'start_line')),
        endLine: lineNumber(memberOf(item, 'end_line')),
      },
    ];
  });
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function isLevel(value: unknown): value is Level {
  return typeof value === 'string' && Object.hasOwn(LEVELS, value);
}

function lineNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
}
