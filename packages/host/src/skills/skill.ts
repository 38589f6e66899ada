import type { SettingsNotice } from '../config/settings.js';

export type SkillOrigin = 'project' | 'user' | 'plugin';

export interface Skill {
  /** With the prefix of its plugin. */
  readonly name: string;
  readonly description: string;
  /** Absolute, of its `SKILL.md`. */
  readonly path: string;
  readonly folder: string;
  /** Without the front matter. */
  readonly text: string;
  /** Whether the model may load it. */
  readonly isListed: boolean;
  /** Whether `/NAME` exists. */
  readonly isCommand: boolean;
  readonly argumentHint?: string;
  readonly origin: SkillOrigin;
}

export interface SkillFiles {
  /** One per name. */
  readonly skills: readonly Skill[];
  readonly notices: readonly SettingsNotice[];
}

export const NO_SKILLS: SkillFiles = { skills: [], notices: [] };

/** A folder that contains folders of skills. */
export interface SkillFolder {
  /** Absolute. */
  readonly folder: string;
  readonly origin: SkillOrigin;
  /** Real path; a link that leads out of it is skipped. */
  readonly boundary?: string;
  /** The name of the plugin. */
  readonly prefix?: string;
}
