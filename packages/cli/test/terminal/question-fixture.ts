import { READY, type TerminalFixture } from './terminal-fixture.js';

/** Resolves with the screen once the question is shown and keys may answer it. */
export function untilAsked(terminal: TerminalFixture, question: string): Promise<string> {
  return terminal.until((screen) => screen.includes(question) && screen.includes('Enter or number'));
}

/** Resolves with the screen once it shows this above an input that is free again. */
export function untilFree(terminal: TerminalFixture, shown: string): Promise<string> {
  return terminal.until((screen) => screen.includes(shown) && screen.includes(READY));
}
