/** Variables of this process that would change how the child runs rather than what it does (S91). */
const NOT_PASSED_ON = ['NODE_OPTIONS', 'ELECTRON_RUN_AS_NODE'];

/**
 * The environment of the CLI: that of this process without what steers Node.js itself, then the given variables on
 * top; one that is given as undefined is left out. To pass `NODE_OPTIONS` on, give it.
 */
export function childEnvironment(
  given: Readonly<Record<string, string | undefined>> = {},
  inherited: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const merged: Record<string, string | undefined> = { ...inherited };
  for (const name of NOT_PASSED_ON) delete merged[name];
  Object.assign(merged, given);
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(merged)) if (value !== undefined) environment[name] = value;
  return environment;
}
