import { DOCTOR } from './doctor/spec.js';
import type { Subcommand } from './subcommand.js';
import { readWords } from './words/read-words.js';

export const runDoctor: Subcommand = async ({ words }) => {
  readWords(words, { command: 'doctor', flags: DOCTOR.own.flags });
  return 0;
};
