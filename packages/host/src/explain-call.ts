import { type Explanation, explainPrepared, SessionRules } from '@qwen/agent';
import type { PermissionMode } from '@qwen/protocol';
import { builtinTools, createPathResolver } from '@qwen/tools';
import type { PermissionView } from './agent-host-options.js';
import type { Configuration } from './config/load-config.js';

export interface ImaginedCall {
  readonly name: string;
  readonly input: unknown;
}

/** The decision a session would make about a built-in tool call. Nothing runs. */
export async function explainFromConfiguration(
  call: ImaginedCall,
  mode: PermissionMode,
  { cwd, rules, homeDirectory, configDir, additionalRoots, tools: names }: Configuration,
): Promise<Explanation> {
  const paths = createPathResolver({ roots: [cwd, ...additionalRoots] });
  const tools = builtinTools().filter((tool) => names.some((name) => name === tool.name));
  const session = new SessionRules({ rules, cwd, paths, homeDirectory, dataDir: configDir });
  const { current } = await session.anchored();
  return explainPrepared(call, { tools, mode, rules: current, cwd, paths });
}

export async function viewRules({
  cwd,
  rules,
  homeDirectory,
  configDir,
  additionalRoots,
}: Configuration): Promise<PermissionView> {
  const paths = createPathResolver({ roots: [cwd, ...additionalRoots] });
  const session = new SessionRules({ rules, cwd, paths, homeDirectory, dataDir: configDir });
  const { current, texts } = await session.anchored();
  return { texts, hides: (path) => current.hides(path) };
}
