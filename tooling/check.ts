// `pnpm check`: every check that does not run the product. `--static` leaves out what `.ci/run` has run before: tests and
// tarballs.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

interface Step {
  readonly name: string;
  /** Program and arguments of each command; the step fails with the first that fails. */
  readonly commands: readonly (readonly [program: string, ...args: string[]])[];
  readonly cwd?: string;
  readonly runsElsewhere?: boolean;
}

const packages = readdirSync('packages').map((name) => `packages/${name}`);

const steps: readonly Step[] = [
  { name: 'format', commands: [['biome', 'ci', '.']] },
  { name: 'prose', commands: [['node', 'tooling/checks/prose.ts']] },
  { name: 'lint', commands: [['oxlint', '--type-aware', '--deny-warnings']] },
  {
    name: 'types',
    commands: [
      '.',
      ...packages,
      'packages/server/web',
      'packages/server/web/tsconfig.test.json',
      'e2e',
      'examples',
      'examples/15-web-terminal/page',
      'bench',
      'tooling/build',
      'tooling/checks',
      'tooling/site',
    ].map((project) => ['tsc', '--noEmit', '-p', project]),
  },
  { name: 'schema drift', commands: [['node', '--run', 'schema:check']], cwd: 'packages/protocol' },
  { name: 'page of commands', commands: [['node', '--run', 'page:check']], cwd: 'packages/commands' },
  {
    name: 'layering, pins, contents',
    runsElsewhere: true,
    commands: [
      [
        'vitest',
        'run',
        'tooling/checks/layering.test.ts',
        'tooling/checks/lint-rules.test.ts',
        'tooling/checks/pins.test.ts',
        'tooling/checks/shipped-contents.test.ts',
        'tooling/checks/turbo-inputs.test.ts',
      ],
    ],
  },
  { name: 'examples of the SDK', commands: [['node', 'tooling/site/check-examples.ts']] },
  { name: 'tarballs', runsElsewhere: true, commands: [['node', 'tooling/release-dry-run.ts', '--no-install']] },
  { name: 'unused code', commands: [['knip']] },
];

const chosen = process.argv.includes('--static') ? steps.filter(({ runsElsewhere }) => runsElsewhere !== true) : steps;
const failed = chosen.filter((step) => !run(step)).map((step) => step.name);
console.log(failed.length === 0 ? `check: ${chosen.length} steps passed` : `check: failed in ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

function run({ name, commands, cwd = '.' }: Step): boolean {
  const startedAt = performance.now();
  for (const [program, ...args] of commands) {
    const env = { ...process.env, NO_COLOR: '1' };
    const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, env, encoding: 'utf8' });
    if (status === 0) continue;
    console.log(`FAIL ${name}: ${program} ${args.join(' ')}\n${error?.message ?? `${stdout}${stderr}`}`);
    return false;
  }
  console.log(`ok   ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
  return true;
}
