import { readFileSync, writeFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import { toMarkdown, toSummary, toTotalLine } from './conformance/report.js';
import { parseRequirements } from './conformance/requirements.js';
import { type Claim, tally } from './conformance/tally.js';
import type { ClaimedIds } from './verifies.js';

export interface ConformanceReporterOptions {
  /** Test files are named relative to it. Absolute. */
  readonly root: string;
  readonly requirementsFile: string;
  /** The page to write and whether to print one line per group. Default: only the total. */
  readonly pageFile?: string | undefined;
  /** Receives text without a trailing newline. */
  readonly print: (text: string) => void;
}

/**
 * Vitest reporter that compares the claims of {@link verifies} with the requirements. An unknown id fails the run.
 * The last line is always `N passed, N failed`, including files that failed to load and errors outside of tests.
 */
export class ConformanceReporter implements Reporter {
  readonly #options: ConformanceReporterOptions;

  constructor(options: ConformanceReporterOptions) {
    this.#options = options;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const { requirementsFile, pageFile, print } = this.#options;
    const claims = modules.flatMap((module) => this.#claimsOf(module));
    const result = tally(parseRequirements(readFileSync(requirementsFile, 'utf8')), claims);
    if (pageFile !== undefined) {
      writeFileSync(pageFile, toMarkdown(result));
      print(toSummary(result));
    }
    print(toTotalLine(result));
    for (const claim of result.unknown) print(`unknown requirement: ${claim}`);
    if (result.unknown.length > 0) process.exitCode = 1;

    const passed = claims.filter((claim) => claim.passed).length;
    const broken = modules.filter((module) => module.errors().length > 0).length;
    const failed = claims.length - passed + broken + unhandledErrors.length + result.unknown.length;
    print(`${passed} passed, ${failed} failed`);
  }

  #claimsOf(module: TestModule): Claim[] {
    const file = relative(this.#options.root, module.moduleId).replaceAll(sep, '/');
    return [...module.children.allTests()]
      .filter((test) => test.result().state !== 'skipped')
      .map((test) => ({
        ids: claimedIds(test.meta()),
        test: `${file} › ${test.fullName}`,
        passed: test.result().state === 'passed',
      }));
  }
}

const claimedIds = ({ verifies }: { readonly verifies?: ClaimedIds }): ClaimedIds => verifies ?? [];
