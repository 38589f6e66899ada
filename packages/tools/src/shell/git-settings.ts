import { isUtf8 } from 'node:buffer';

/** One byte per character, as git stores names in any encoding. */
export type Setting = readonly [key: string, value: string];

/** Without programs of the repository. Git asks for no signatures, network or other repositories. */
export const QUIET: readonly Setting[] = [
  ['core.fsmonitor', 'false'],
  ['diff.autoRefreshIndex', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.editor', 'false'],
  ['core.sshCommand', 'false'],
  ['core.askPass', 'false'],
  ['core.alternateRefsCommand', 'false'],
  ['sequence.editor', 'false'],
  ['credential.helper', ''],
  ['gpg.program', 'false'],
  ['gpg.openpgp.program', 'false'],
  ['gpg.x509.program', 'false'],
  ['gpg.ssh.program', 'false'],
  ['log.showSignature', 'false'],
  ['help.autoCorrect', '0'],
  ['protocol.allow', 'never'],
  ['submodule.recurse', 'false'],
  ['status.submoduleSummary', 'false'],
  ['diff.submodule', 'short'],
  // Git would start another git in the submodule, which has its own configuration.
  ['diff.ignoreSubmodules', 'dirty'],
];
const REPLACED: ReadonlySet<string> = new Set(QUIET.map(([key]) => key.toLowerCase()));

const ANY = /^/;
const WORD = /^[\w-]*$/;
/** Not `helper::address`, which names a program. */
const ADDRESS = /^(?!-)(?![\w+.-]*::)/;
const UPDATE = /^(?:checkout|rebase|merge|none)$/i;
const IGNORE = /^(?:all|dirty)$/i;

/**
 * What git, its usual companions and editors write into a repository, and what people set there. None of it names a
 * program, a file or another configuration that git uses while it reads. Keys are in lower case except for names.
 */
const HARMLESS: readonly (readonly [key: RegExp, value: RegExp])[] = [
  [
    /^core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|quotepath|longpaths|fscache|hidedotfiles|abbrev|commentchar|compression|bigfilethreshold|whitespace|untrackedcache|preloadindex|splitindex|sparsecheckout|sparsecheckoutcone|multipackindex|commitgraph)$/,
    ANY,
  ],
  // Whether it is the folder of this repository is checked elsewhere.
  [/^core\.worktree$/, ANY],
  [/^extensions\.(?:objectformat|compatobjectformat|worktreeconfig|relativeworktrees|preciousobjects|noop)$/, WORD],
  [/^extensions\.(?:partialclone|refstorage)$/, WORD],
  [/^remote\..+\.(?:url|pushurl|lfsurl|fetch|push)$/s, ADDRESS],
  [/^remote\..+\.(?:prune|prunetags|tagopt|mirror|skipdefaultupdate|promisor|partialclonefilter|gh-resolved)$/s, ANY],
  [/^(?:branch|gitflow)\.(?:.+\.)?[\w-]+$/s, ANY],
  [/^user\.(?:name|email|signingkey|useconfigonly)$/, ANY],
  [/^(?:init|pull|push|fetch|merge|rebase|color|gui|status|advice|rerere|maintenance|index)\.[\w-]+$/, ANY],
  [/^(?:color\.[\w-]+\.[\w-]+|remote\.pushdefault|gc\.auto|feature\.\w+)$/, ANY],
  [/^(?:commit|tag)\.(?:gpgsign|verbose|cleanup|sort)$/, ANY],
  [/^log\.(?:date|decorate|abbrevcommit|follow)$/, ANY],
  [/^diff\.(?:algorithm|renames|renamelimit|context|interhunkcontext|noprefix|mnemonicprefix|colormoved|tool)$/, ANY],
  [/^http\.(?:.+\.)?(?:extraheader|postbuffer|version)$/s, ANY],
  [/^submodule\.active$/, ANY],
  [/^submodule\..+\.(?:url|active|branch)$/s, ADDRESS],
  [/^submodule\..+\.update$/s, UPDATE],
  [/^submodule\..+\.ignore$/s, IGNORE],
  [/^lfs\.(?:repositoryformatversion|url|pushurl|locksverify|fetchinclude|fetchexclude)$/, ADDRESS],
  [/^lfs\..+\.(?:access|locksverify)$/s, WORD],
  // Checked elsewhere.
  [/^blame\.ignorerevsfile$/, ANY],
];

const MODULE: readonly (readonly [key: RegExp, value: RegExp])[] = [
  [/^submodule\.[\w@+ ./-]+\.(?!update$|ignore$)[\w-]+$/, ANY],
  [/^submodule\.[\w@+ ./-]+\.update$/, UPDATE],
  [/^submodule\.[\w@+ ./-]+\.ignore$/, IGNORE],
];

/** A setting of the repository that may make git run or show something else. */
export function riskySetting(own: readonly Setting[]): string | undefined {
  return own.find((setting) => !REPLACED.has(setting[0]) && !isOneOf(HARMLESS, setting))?.[0];
}

/** The same for a `.gitmodules` file. */
export function riskyModule(listed: readonly Setting[]): string | undefined {
  return listed.find((setting) => !isOneOf(MODULE, setting))?.[0];
}

function isOneOf(known: typeof HARMLESS, [key, value]: Setting): boolean {
  const isPlain = isUtf8(Buffer.from(key, 'latin1')) && !/[\0-\x1f\x7f]/.test(key);
  return isPlain && known.some(([keys, values]) => keys.test(key) && values.test(value));
}

/** Of `git config --list --show-scope -z`: the settings of the repository, its worktree, and what they include. */
export function repositorySettings(listed: string): Setting[] {
  const fields = listed.split('\0');
  return fields.flatMap((scope, index): Setting[] => {
    if (index % 2 === 1 || (scope !== 'local' && scope !== 'worktree')) return [];
    return [toSetting(fields[index + 1] ?? '')];
  });
}

/** Of `git config --list -z`. */
export function listedSettings(listed: string): Setting[] {
  return listed.split('\0').flatMap((entry) => (entry === '' ? [] : [toSetting(entry)]));
}

function toSetting(entry: string): Setting {
  const [key = '', ...value] = entry.split('\n');
  return [key, value.join('\n')];
}
