import { type LineProcess, type ScriptedReply, says } from '@qwen/testkit';
import { afterAll, onTestFailed } from 'vitest';
import { type CliFixture, openCliFixture } from './cli-fixture.js';

/** The part of one test in a shared program. */
export interface SharedTurn {
  readonly fixture: CliFixture;
  readonly agent: LineProcess;
  /** What the model was asked, and the lines of the program, since this test began. */
  requests(): CliFixture['model']['requests'];
  lines(): LineProcess['lines'];
}

/**
 * One program for tests that need no start of their own: each scripts the model, sends its prompts and reads its
 * results. `greet` runs after each start; a failed test ends the program, so that the next one gets a new one.
 */
export function shareMachine(
  args: readonly string[] = [],
  greet: (agent: LineProcess) => Promise<unknown> = () => Promise.resolve(),
): (...replies: readonly ScriptedReply[]) => Promise<SharedTurn> {
  let script: ScriptedReply[] = [];
  let shared: Promise<Pick<SharedTurn, 'fixture' | 'agent'>> | undefined;
  const open = async () => {
    const fixture = await openCliFixture([
      (request) => {
        const reply = script.shift() ?? says('The script has ended.');
        return typeof reply === 'function' ? reply(request) : reply;
      },
    ]);
    const agent = await fixture.startMachine(args);
    await greet(agent);
    return { fixture, agent };
  };
  const close = async () => {
    const last = await shared?.catch(() => undefined);
    shared = undefined;
    await last?.fixture[Symbol.asyncDispose]();
  };
  afterAll(close);
  return async (...replies) => {
    onTestFailed(close);
    script = [...replies];
    shared ??= open();
    const { fixture, agent } = await shared;
    const [asked, said] = [fixture.model.requests.length, agent.lines.length];
    return {
      fixture,
      agent,
      requests: () => fixture.model.requests.slice(asked),
      lines: () => agent.lines.slice(said),
    };
  };
}
