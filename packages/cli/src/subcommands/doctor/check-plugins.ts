import { describePlugins } from '@qwen/host/plugins/describe-plugins.js';
import type { Check, Finding } from './finding.js';

export const checkPlugins: Check = async (place) => {
  const plugins = await describePlugins(place);
  return plugins.flatMap(({ name, path, state, parts, problems }): Finding[] => {
    if (state === 'broken') {
      const advice = 'Fix it, or run qwen plugins remove.';
      return problems.map((message) => ({ area: 'plugins', level: 'error', message, advice }));
    }
    const isApproved = state === 'approved';
    const message = isApproved
      ? `${name}: ${parts.join(', ')}`
      : `${name} is ${state}; its hooks and MCP servers do not run`;
    return [
      {
        area: 'plugins',
        level: isApproved ? 'ok' : 'warning',
        message,
        ...(!isApproved && { advice: `qwen plugins add ${path}` }),
      },
      ...problems.map((problem): Finding => ({ area: 'plugins', level: 'warning', message: problem })),
    ];
  });
};
