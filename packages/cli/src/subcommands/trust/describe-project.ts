import { projectRequests } from '@qwen/host/config/project-requests.js';
import type { Project } from '@qwen/host/config/trust.js';

export function describeProject(project: Project): string {
  const what = projectRequests(project).map((line) => `  ${line}`);
  const nothing = '  (nothing in it needs trust)';
  return [`${project.folder} is trusted, with`, ...(what.length === 0 ? [nothing] : what), ''].join('\n');
}
