import { findConfigDir } from '@qwen/host/config/config-dir.js';
import { AgentError, encodeDocument, escapeHidden } from '@qwen/protocol';
import { checkMcp } from './doctor/check-mcp.js';
import { checkModel } from './doctor/check-model.js';
import { checkNetwork } from './doctor/check-network.js';
import { checkPlugins } from './doctor/check-plugins.js';
import { checkProgram } from './doctor/check-program.js';
import { checkSandbox } from './doctor/check-sandbox.js';
import { checkSessions } from './doctor/check-sessions.js';
import { checkSettingsFiles } from './doctor/check-settings.js';
import { checkSkills } from './doctor/check-skills.js';
import { checkStorage } from './doctor/check-storage.js';
import { checkTerminal } from './doctor/check-terminal.js';
import { checkTools } from './doctor/check-tools.js';
import { checkTrust } from './doctor/check-trust.js';
import { checkVariables } from './doctor/check-variables.js';
import type { Check, DoctorContext, Finding } from './doctor/finding.js';
import { DOCTOR } from './doctor/spec.js';
import type { Subcommand } from './subcommand.js';
import { commandHelp } from './words/command-help.js';
import { wantsJson } from './words/json-flags.js';
import { readWords } from './words/read-words.js';

/** In display order. */
const CHECKS: readonly Check[] = [
  checkProgram,
  checkModel,
  checkSettingsFiles,
  checkTrust,
  checkSkills,
  checkPlugins,
  checkMcp,
  checkStorage,
  checkSessions,
  checkTools,
  checkSandbox,
  checkVariables,
  checkTerminal,
  checkNetwork,
];

const SIGNS: Readonly<Record<Finding['level'], string>> = { ok: 'ok     ', warning: 'warning', error: 'ERROR  ' };

/** Exit code 1 if a check fails. */
export const runDoctor: Subcommand = async ({ words, environment, cwd, print }) => {
  if (words.some((word) => word === '--help' || word === '-h')) {
    await print(commandHelp('doctor', DOCTOR));
    return 0;
  }
  const { flags } = readWords(words, { command: 'doctor', flags: DOCTOR.own.flags, onlyFlags: true });
  const configDir = findConfigDir(environment, cwd);
  const place = { cwd, configDir, environment, variables: process.env, isOnline: flags.online === true };
  const findings = (await Promise.all(CHECKS.map((check) => look(check, place)))).flat();
  const isUsable = findings.every(({ level }) => level !== 'error');
  await print(wantsJson(flags) ? encodeDocument({ usable: isUsable, findings }) : toText(findings));
  return isUsable ? 0 : 1;
};

/** A failing check must not hide the others. */
async function look(check: Check, place: DoctorContext): Promise<readonly Finding[]> {
  try {
    return await check(place);
  } catch (thrown) {
    const { message } = AgentError.from(thrown);
    return [
      { area: 'program', level: 'error', message: `this check failed: ${message}`, advice: 'Please report this.' },
    ];
  }
}

function toText(findings: readonly Finding[]): string {
  const lines = findings.map(({ area, level, message, advice, path, line, column }) => {
    const where = path !== undefined && line !== undefined ? `${path}:${line}:${column}: ` : '';
    const todo =
      advice === undefined ? '' : `\n${escapeHidden(advice, { keepLines: true }).replace(/^/gm, ' '.repeat(19))}`;
    return `${SIGNS[level]}  ${area.padEnd(8)}  ${escapeHidden(`${where}${message}`)}${todo}\n`;
  });
  const count = (level: Exclude<Finding['level'], 'ok'>) => {
    const number = findings.filter((finding) => finding.level === level).length;
    return `${number} ${level}${number === 1 ? '' : 's'}`;
  };
  return `${lines.join('')}\n${count('error')}, ${count('warning')}\n`;
}
