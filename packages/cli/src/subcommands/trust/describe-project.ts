import type { Project } from '../../config/trust.js';

/** What is trusted, in full: nobody can agree to a command that is shown in part (S98). */
export function describeProject({ folder, settings }: Project): string {
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
  const what =
    lines.length === 0 ? ['  (its settings ask for nothing that needs trust)'] : lines.map((line) => `  ${line}`);
  return [`${folder} is trusted, with`, ...what, '  the files in .qwen/agents', ''].join('\n');
}

/** As JSON, with every character that a terminal would not show written out. */
function visible(value: unknown): string {
  return JSON.stringify(value).replace(/[^\P{C}]|[\u2028\u2029]/gu, (character) =>
    Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
      .map((code) => `\\u${code.toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
