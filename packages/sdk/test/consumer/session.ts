// An app that opens a session, compiled with the strictest settings and never run.
import { type HostTool, openSession, type QwenEvent, type QwenSession, type SessionOptions } from '@qwen/sdk';
import { collectCompletions, createTerminalReplay, readOutputLine, toDate } from '@qwen/sdk/terminal';

const weather: HostTool = {
  name: 'weather',
  description: 'The weather of a town.',
  parameters: { type: 'object' },
  run: async ({ town }, { signal }) => (signal.aborted ? null : { town }),
};

const options: SessionOptions = {
  format: 'chunk',
  tools: [weather],
  heartbeat: { intervalMs: 5_000, restart: true },
  onConfirm: (question) => (question.kind === 'shell' ? { outcome: 'proceed_once', approvedCommands: [] } : 'cancel'),
};

// @ts-expect-error -- options of query() that a session does not take
export const wrong: SessionOptions = { resume: 'x' };

export async function talk(write: (text: string) => void): Promise<string> {
  await using session: QwenSession = await openSession(options);
  const replay = createTerminalReplay({ write });
  for await (const event of session.prompt('hi', { temperature: 0 })) replay.feed(event);
  const { result, turn } = await session.command('/help');
  if (result?.type === 'message') write(result.content);
  return (await turn?.result)?.text ?? '';
}

export function show(event: QwenEvent): string {
  switch (event.kind) {
    case 'text':
      return event.text;
    case 'tool':
      return event.display.status;
    case 'summary':
      return String(event.summary.duration_ms);
    default:
      return event.sessionId ?? '';
  }
}

export async function* whole(lines: Iterable<string>) {
  for (const text of lines) {
    const output = readOutputLine(text);
    if (output.kind === 'chunk') yield* collectCompletions([output.line]);
  }
}

export const at: Date = toDate('2026-01-01T00:00:00Z');
