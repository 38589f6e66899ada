import { relative } from 'node:path';
import type { Project } from '../../config/trust.js';
import { toVisible } from '../../visible-text.js';

/** What is trusted, in full: nobody can agree to a command that is shown in part (S98). */
export function describeProject({ folder, settings, agents }: Project): string {
  const lines = settings.flatMap(({ model, permissions = {}, hooks = {}, mcpServers = {} }) => [
    ...Object.entries(hooks).flatMap(([event, groups]) =>
      groups.flatMap(({ hooks: commands }) => commands.map(({ command }) => `hook ${event}: ${visible(command)}`)),
    ),
    ...Object.entries(mcpServers).map(([name, config]) => `MCP server ${visible(name)}: ${visible(config)}`),
    ...(permissions.allow ?? []).map((rule) => `allow ${visible(rule)}`),
    ...(permissions.additionalDirectories ?? []).map((directory) => `additional directory ${visible(directory)}`),
    ...(permissions.defaultMode === undefined ? [] : [`permission mode ${permissions.defaultMode}`]),
    ...(model === undefined ? [] : [`model ${visible(model)}`]),
  ]);
  const files = (agents?.texts ?? []).flatMap(({ path, text = '' }) => [
    `agent ${visible(relative(folder, path))}`,
    ...text.split(/\r?\n/).map((line) => `  | ${toVisible(line)}`),
  ]);
  const what = [...lines, ...files].map((line) => `  ${line}`);
  const nothing = '  (it asks for nothing that needs trust)';
  return [`${folder} is trusted, with`, ...(what.length === 0 ? [nothing] : what), ''].join('\n');
}

/** As JSON, with every character that a terminal would not show written out. */
function visible(value: unknown): string {
  return toVisible(JSON.stringify(value));
}
