import type { PermissionPort } from '@qwen/agent';

/** Denies every question, because no one can answer it, and names the rule for exactly this call if there is one. */
export function denyWithHint(why: string): PermissionPort {
  return {
    ask: async ({ reason, suggestions }) => {
      const rules = suggestions.find((suggestion) => suggestion.rules !== undefined)?.rules ?? [];
      const flags = rules.map((rule) => `--allowed-tools ${quote(rule)}`).join(' ');
      const advice =
        rules.length > 0
          ? `To allow exactly this call, start qwen with ${flags}.`
          : 'No rule can allow exactly this call. Run qwen in a terminal to approve it.';
      return { behavior: 'deny', message: `${reason} ${why} ${advice}` };
    },
  };
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
