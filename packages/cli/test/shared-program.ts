import { type LineProcess, type ScriptedReply, says } from '@qwen/testkit';
import { afterAll, onTestFailed } from 'vitest';
import { type CliFixture, openCliFixture } from './cli-fixture.js';

/** The part of one test in a shared program. */
export interface SharedTurn {
  readonly fixture: CliFixture;
  readonly agent: LineProcess;
  /** Requests to the model and lines of the program since this test began. */
  readonly requests: () => CliFixture['model']['requests'];
  readonly lines: () => LineProcess['lines'];
}

/** A reply of a scripted model that each test replaces. */
export function createScript() {
  let left: ScriptedReply[] = [];
  const reply: ScriptedReply = (request) => {
    const next = left.shift() ?? says('The script has ended.');
    return typeof next === 'function' ? next(request) : next;
  };
  return { reply, set: (replies: readonly ScriptedReply[]) => void (left = [...replies]) };
}

/**
 * One program for tests that need no start of their own: each scripts the model, sends its prompts and reads its
 * results. A failed test ends the program, so that the next one gets a new one.
 */
export function shareProgram(
  start: (fixture: CliFixture) => Promise<LineProcess>,
): (...replies: readonly ScriptedReply[]) => Promise<SharedTurn> {
  const script = createScript();
  let shared: Promise<Pick<SharedTurn, 'fixture' | 'agent'>> | undefined;
  const open = async () => {
    const fixture = await openCliFixture([script.reply]);
    return { fixture, agent: await start(fixture) };
  };
  const close = async () => {
    const last = await shared?.catch(() => undefined);
    shared = undefined;
    await last?.fixture[Symbol.asyncDispose]();
  };
  afterAll(close);
  return async (...replies) => {
    onTestFailed(close);
    script.set(replies);
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
