import type { AgentEvent, ToolPreview } from '@qwen/agent';
import type { Confirmation } from '@qwen/protocol/openai';

type Asking = Extract<AgentEvent, { type: 'tool_asking' }>;

/** What the user must see before approving. */
export function toConfirmation({ reason, preview }: Asking): Confirmation {
  return { type: preview.type, title: reason, ...membersOf(preview) };
}

function membersOf(preview: ToolPreview): Omit<Confirmation, 'type' | 'title'> {
  switch (preview.type) {
    case 'edit': {
      const { path, diff, original, modified } = preview;
      return {
        file_name: lastPart(path),
        file_path: path,
        file_diff: diff,
        original_content: original,
        new_content: modified,
      };
    }
    case 'exec':
      return { command: preview.command, root_command: preview.rootCommand };
    case 'mcp':
      return { server_name: preview.server, tool_name: preview.tool, tool_display_name: preview.displayName };
    case 'info':
      return { prompt: preview.prompt, urls: [...preview.urls] };
    case 'plan':
      return { plan: preview.plan };
  }
}

function lastPart(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}
