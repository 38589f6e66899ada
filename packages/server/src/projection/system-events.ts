import { isJsonObject, type SDKSystemMessage } from '@qwen/protocol';
import { EVENT_SCHEMAS, type PublicEventBody } from '@qwen/protocol/server';

/** Already covered by `turn.started`. */
const OMITTED: ReadonlySet<string> = new Set(['init', 'hook_event']);

type EventScope = Pick<
  Extract<PublicEventBody, { type: 'notice' }>,
  'session_thread_id' | 'turn_id' | 'parent_tool_use_id'
>;

export function toSystemEvents(
  message: SDKSystemMessage,
  scopeOf: (parentToolUseId: string | null) => EventScope,
): readonly PublicEventBody[] {
  if (OMITTED.has(message.subtype)) return [];
  const data = 'data' in message && isJsonObject(message.data) ? message.data : {};
  const { code = message.subtype, message: text, parent_tool_use_id: parent, ...rest }: Record<string, unknown> = data;
  const scope = scopeOf(typeof parent === 'string' ? parent : null);
  if (code === 'file_references') {
    const files = EVENT_SCHEMAS.file_references.safeParse({ ...scope, type: 'file_references', ...rest });
    if (files.success) return [files.data];
  }
  if (code === 'reference_warning') return [{ ...scope, type: 'warning', message: String(text) }];
  return [
    {
      ...scope,
      type: 'notice',
      code: String(code),
      ...(typeof text === 'string' && { message: text }),
      ...(Object.keys(rest).length > 0 && { data: rest }),
    },
  ];
}
