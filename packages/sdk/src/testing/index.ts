export { type Faults, injectFaults } from './fault-transport.js';
export type { ToolOutcome } from './in-app-tools.js';
export {
  type AskedRequest,
  type Script,
  type ScriptedCli,
  type ScriptedCliOptions,
  scriptedCli,
} from './scripted-cli.js';
export type { ScriptedResult } from './scripted-lines.js';
export type { QuestionDetails, ScriptedTurn, Verdict } from './scripted-turn.js';
