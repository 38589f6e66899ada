import type { PermissionMode } from '@qwen/protocol';
import type { ResolvedPath } from '../ports.js';
import type { CallFacts, CallPath, ShellFacts } from './call-facts.js';
import type { RuleAnchors } from './path-pattern.js';
import { isProtectedPath } from './protected-files.js';
import type { RuleMatcher } from './rule-matcher.js';
import { isPersonalSecret } from './sensitive-files.js';
import { filesOf, takesHome } from './shell/named-files.js';
import { foundFilesKey, gitFolders, isGuarded } from './shell/reading-guard.js';
import { commandText, type ShellCommand, type ShellFile } from './shell/shell-reading.js';
import { followsLinks } from './shell/taken-files.js';

export interface CallPart {
  readonly text: string;
  readonly behavior: 'allow' | 'ask';
  /** Only reads files of the workspace. */
  readonly isReadOnly: boolean;
  readonly rule?: string;
  readonly reason: string;
  /** The path outside the workspace, or the protected file, that causes the question. */
  readonly blockedPath?: string;
}

export interface ShellCoverage {
  readonly isCovered: boolean;
  readonly isReadOnly: boolean;
  readonly parts: readonly CallPart[];
  readonly obstacle: string | undefined;
}

export interface CoverageOptions {
  readonly allow: readonly RuleMatcher[];
  readonly mode: PermissionMode;
  readonly anchors: RuleAnchors;
}

/** A compound is allowed only if each part is and nothing is dynamic. */
export function coverShell(call: CallFacts, shell: ShellFacts, options: CoverageOptions): ShellCoverage {
  const { commands, files, obstacle } = shell.reading;
  const coverage = new CoverageOfCall(call, shell, options);
  const parts = [
    ...commands.map((command) => coverage.ofCommand(command)),
    ...files.flatMap((file) => (isHarmless(file) ? [] : [coverage.ofFile(file)])),
  ];
  const isWhole = obstacle === undefined && commands.length > 0 && call.paths.every((path) => path.insideRoots);
  return {
    isCovered: isWhole && parts.every(({ behavior }) => behavior === 'allow'),
    isReadOnly: isWhole && parts.every(({ isReadOnly }) => isReadOnly),
    parts,
    obstacle,
  };
}

function isHarmless({ path }: ShellFile): boolean {
  return path !== undefined && /^\/dev\/(?:null|stdin|stdout|stderr)$/.test(path);
}

class CoverageOfCall {
  readonly #isGuarded: boolean;
  readonly #call: CallFacts;
  readonly #shell: ShellFacts;
  readonly #options: CoverageOptions;

  constructor(call: CallFacts, shell: ShellFacts, options: CoverageOptions) {
    this.#call = call;
    this.#shell = shell;
    this.#options = options;
    this.#isGuarded = isGuarded(shell.reading);
  }

  ofCommand(command: ShellCommand): CallPart {
    const text = commandText(command);
    const { readOnlyPatterns = [] } = command;
    const expanded = readOnlyPatterns.flatMap((pattern) => this.#shell.words?.get(pattern) ?? []);
    const outside =
      command.readOnlyFiles?.find((path) => !this.#mayRead(path)) ??
      expanded.find((file) => !this.#mayReadFile(file))?.path;
    const uncertain = readOnlyPatterns.find((pattern) => this.#isUncertain(pattern));
    const { complexity } = this.#shell.reading;
    const followed =
      command.followsLinks === true ? command.readOnlyFiles?.find((path) => this.#shell.folders.has(path)) : undefined;
    const hazard = this.#hazardOf(command) ?? this.#personalSecretOf(command);
    const obstacle =
      complexity ??
      hazard ??
      this.#gitObstacle(command) ??
      this.#foundObstacle(command) ??
      (followed && `Links below ${followed} are followed.`) ??
      (uncertain && `What ${uncertain} expands to is uncertain.`);
    const isReadOnly = obstacle === undefined && command.readOnlyFiles !== undefined && outside === undefined;
    // Only a rule for exactly this command accepts a hazard.
    const covered = hazard === undefined ? command : { ...command, requiredWords: Number.POSITIVE_INFINITY };
    const rule = this.#options.allow.find((matcher) => matcher.coversCommand(this.#call, covered))?.rule;
    if (rule !== undefined) return allowedBy(rule, text, isReadOnly);
    if (isReadOnly) return { text, behavior: 'allow', isReadOnly, reason: 'Only reads files in the workspace.' };
    if (command.wraps !== undefined) return { ...this.ofCommand(command.wraps), text };
    if (outside === undefined) {
      const reason = command.readOnlyFiles === undefined ? hazard : obstacle;
      return asking(text, reason ?? 'This command may change things.');
    }
    return asking(text, `${outside} is outside the workspace.`, outside);
  }

  ofFile({ path, shown, access }: ShellFile): CallPart {
    const text = `${access === 'read' ? '<' : '>'} ${shown}`;
    const found = path === undefined ? undefined : this.#shell.paths.get(path);
    if (path === undefined || found === undefined) return asking(text, 'The file is only known at run time.');
    const used: CallPath = { ...found, access };
    const { complexity } = this.#shell.reading;
    const isReadOnly = complexity === undefined && access === 'read' && this.#mayRead(path);
    const rule = this.#options.allow.find((matcher) => matcher.coversFile(used))?.rule;
    if (rule !== undefined) return allowedBy(rule, text, isReadOnly);
    if (!found.insideRoots) return asking(text, `${found.path} is outside the workspace.`, found.path);
    if (isProtectedPath(used)) return asking(text, `${found.path} is protected.`, found.path);
    if (complexity !== undefined) return asking(text, complexity);
    if (isReadOnly) return { text, behavior: 'allow', isReadOnly, reason: 'Reads a file in the workspace.' };
    if (access === 'read') return asking(text, `${shown} may contain keys or passwords.`, found.path);
    if (this.#options.mode !== 'auto-edit') return asking(text, `Writes ${shown}.`);
    const reason = 'Mode auto-edit allows edits in the workspace.';
    return { text, behavior: 'allow', isReadOnly, reason };
  }

  /** Why git may run a program of the repository although its environment is guarded. */
  #hazardOf(command: ShellCommand): string | undefined {
    const { git } = command;
    if (git === undefined) return undefined;
    const folders = gitFolders(command);
    if (folders === undefined) return 'The folder in which git runs is unknown.';
    for (const folder of folders) {
      const { everywhere, reading } = this.#shell.git.get(folder) ?? {};
      const hazard = everywhere ?? (git === 'reading' ? reading : undefined);
      if (hazard !== undefined) return hazard;
    }
    return undefined;
  }

  /** Patterns and links reach it too. */
  #personalSecretOf(command: ShellCommand): string | undefined {
    const secret = filesOf(command, this.#shell, this.#options.anchors).find(isPersonalSecret);
    if (secret !== undefined) return `${secret.path} may contain keys or passwords.`;
    const { anchors } = this.#options;
    if (takesHome(command, this.#shell.reading, anchors))
      return 'It takes the home folder with its keys and passwords.';
    return followsLinks(command) ? 'It follows links, which may lead to keys and passwords.' : undefined;
  }

  #gitObstacle(command: ShellCommand): string | undefined {
    const folders = gitFolders(command) ?? [];
    if (command.git === undefined || (this.#isGuarded && folders.every((folder) => this.#shell.git.has(folder)))) {
      return undefined;
    }
    return 'Git may run programs of the repository.';
  }

  /** The files that a program finds itself may lead out of the workspace. */
  #foundObstacle({ finds, folders }: ShellCommand): string | undefined {
    if (finds === undefined) return undefined;
    const { found } = this.#shell;
    for (const folder of folders ?? ['']) {
      const key = foundFilesKey(finds, folder);
      const hazard = found?.has(key) === true ? found.get(key) : 'The files that it finds were not checked.';
      if (hazard !== undefined) return hazard;
    }
    return undefined;
  }

  #mayRead(path: string): boolean {
    const found = this.#shell.paths.get(path);
    return found !== undefined && this.#mayReadFile(found);
  }

  /** Whether it expands to more names than were read, or to what a program takes for an option. */
  #isUncertain(pattern: string): boolean {
    return this.#shell.words?.get(pattern)?.every(({ path }) => !path.includes('/-')) !== true;
  }

  #mayReadFile(found: ResolvedPath): boolean {
    if (found.insideRoots && !isPersonalSecret(found)) return true;
    return this.#options.allow.some((matcher) => matcher.coversFile({ ...found, access: 'read' }));
  }
}

function allowedBy(rule: string, text: string, isReadOnly: boolean): CallPart {
  return { text, behavior: 'allow', isReadOnly, rule, reason: `Rule ${rule} allows it.` };
}

function asking(text: string, reason: string, blockedPath?: string): CallPart {
  return { text, behavior: 'ask', isReadOnly: false, reason, ...(blockedPath !== undefined && { blockedPath }) };
}
