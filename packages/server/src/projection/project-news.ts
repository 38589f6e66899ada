import { isJsonObject, type SDKSystemMessage } from '@qwen/protocol';
import { EVENT_SCHEMAS, type PublicEventBody } from '@qwen/protocol/server';

/** What opens a turn says nothing that `turn.started` does not. */
const SILENT: ReadonlySet<string> = new Set(['init', 'hook_event']);

type Place = Pick<Extract<PublicEventBody, { type: 'notice' }>, 'session_thread_id' | 'turn_id' | 'parent_tool_use_id'>;

/** News of the agent: files that a message refers to, warnings about them, and the rest as notices. */
export function toNews(
  message: SDKSystemMessage,
  placeOf: (parentToolUseId: string | null) => Place,
): readonly PublicEventBody[] {
  if (SILENT.has(message.subtype)) return [];
  const data = isJsonObject(message.data) ? message.data : {};
  const { code = message.subtype, message: text, parent_tool_use_id: parent, ...facts } = data;
  const place = placeOf(typeof parent === 'string' ? parent : null);
  if (code === 'file_references') {
    const files = EVENT_SCHEMAS.file_references.safeParse({ ...place, type: 'file_references', ...facts });
    if (files.success) return [files.data];
  }
  if (code === 'reference_warning') return [{ ...place, type: 'warning', message: String(text) }];
  return [
    {
      ...place,
      type: 'notice',
      code: String(code),
      ...(typeof text === 'string' && { message: text }),
      ...(Object.keys(facts).length > 0 && { data: facts }),
    },
  ];
}
