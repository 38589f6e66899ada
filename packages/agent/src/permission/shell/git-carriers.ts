import { isAbbreviation, scanOptions } from './option-words.js';

/** Configuration that decides nothing about programs. */
const PLAIN_KEY =
  /^(?:user|color|advice|log|init\.defaultbranch|pull|push|fetch|status|branch(?!.*\.mergeoptions)|commit|gc(?!\.recentobjectshook)|pack|index|http|https|safe|rerere|i18n|grep\.(?:linenumber|patterntype)|core\.(?:quotepath|autocrlf|eol|safecrlf|filemode|ignorecase|bare|longpaths|precomposeunicode|compression|abbrev|commentchar|excludesfile|untrackedcache|preloadindex)|diff\.(?:algorithm|renames|context|noprefix|mnemonicprefix|colormoved)|merge\.(?:ff|conflictstyle|renames)|rebase\.(?:autostash|autosquash|updaterefs)|protocol\.version|remote\.[^=]*\.(?:fetch|prune)|remote\.[^=]*\.(?:url|pushurl)=?(?!ext::))(?:\.|=|$)/i;
const DISABLED =
  /^(?:core\.(?:pager|editor)=(?:cat|true|:)?|core\.fsmonitor=false|core\.hookspath=\/dev\/null|commit\.gpgsign=\w+|pager\.\w+=(?:cat|false))$/i;
const RUNNING_COMMANDS = new Set(
  (
    'filter-branch for-each-repo daemon shell instaweb hook mergetool merge-index send-email cvsserver p4 svn ' +
    'web--browse remote-ext remote-fd submodule--helper maintenance'
  ).split(' '),
);
const CREDENTIALS = /^credential(?:-|$)/;
const STRATEGIES = /^(?:ours|recursive|ort|resolve|octopus|subtree|theirs)$/;

interface RunningOptions {
  readonly letters?: string;
  readonly valued?: string;
  readonly long?: readonly string[];
  /** Without a value, or with one after `=`. */
  readonly attached?: readonly string[];
}

const OPTIONS: Readonly<Record<string, RunningOptions>> = {
  clone: { letters: 'uc', valued: 'objcu', long: ['upload-pack', 'config', 'template'] },
  init: { long: ['template'] },
  fetch: { long: ['upload-pack'], valued: 'joO' },
  pull: { long: ['upload-pack', 'strategy'], letters: 's', valued: 'jorsX' },
  merge: { long: ['strategy'], letters: 's', valued: 'mFsX' },
  push: { long: ['receive-pack', 'exec'], valued: 'o' },
  'send-pack': { long: ['receive-pack', 'exec'] },
  'fetch-pack': { long: ['upload-pack', 'exec'] },
  'ls-remote': { long: ['upload-pack', 'exec'] },
  archive: { long: ['exec', 'remote'] },
  rebase: { letters: 'xs', valued: 'xsXC', long: ['exec', 'strategy'] },
  difftool: { letters: 'x', valued: 'tx', long: ['extcmd'] },
  grep: { letters: 'O', valued: 'efABCmO', long: ['open-files-in-pager'] },
  submodule: { long: ['upload-pack'] },
  // These start git in submodules, whose own configuration can name programs.
  describe: { attached: ['dirty', 'broken'] },
  diff: { attached: ['ignore-submodules', 'submodule'] },
  log: { attached: ['ignore-submodules', 'submodule'] },
  show: { attached: ['ignore-submodules', 'submodule'] },
  status: { attached: ['ignore-submodules'] },
};
const OUTSIDE_SUBMODULES = /^(?:ignore-submodules(?:=(?:all|dirty))?|submodule(?:=(?:short|log))?)$/;

/** Why git may run a program that its words do not show. */
export function gitRuns(args: readonly string[]): string | undefined {
  let at = 0;
  for (; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (!word.startsWith('-')) break;
    if (/^--(?:config-env|exec-path=)/.test(word)) return `git runs what ${word} names.`;
    if (word === '-c' || word === '--config-env') {
      const setting = args[at + 1] ?? '';
      if (!isPlainSetting(setting)) return `git runs what ${setting} names.`;
    }
    if (/^(?:-c|-C|--git-dir|--work-tree|--namespace|--super-prefix|--attr-source)$/.test(word)) at += 1;
  }
  const name = args[at] ?? '';
  const rest = args.slice(at + 1);
  if (args.some((word) => /(?:^|=)ext::/i.test(word))) return 'git runs the program of an ext:: address.';
  if (RUNNING_COMMANDS.has(name) && rest[0] !== 'run-parts') return `git ${name} runs other programs.`;
  if (CREDENTIALS.test(name)) return `git ${name} may print passwords.`;
  if (name === 'config') return changesPrograms(rest) ? 'git config changes which programs git runs.' : undefined;
  if (name === 'bisect' && rest.includes('run')) return 'git bisect run starts a program.';
  if (name === 'submodule' && rest.includes('foreach')) return 'git submodule foreach runs a script.';
  if (name === 'remote' && rest.includes('add') && rest.some((word) => /^ext::/i.test(word)))
    return 'git runs a program.';
  const options = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined;
  return options !== undefined && hasRunningOption(rest, options) ? `git ${name} starts a program.` : undefined;
}

function hasRunningOption(args: readonly string[], options: RunningOptions): boolean {
  const { letters = '', valued = '', long = [], attached = [] } = options;
  return scanOptions(args, { valued, longValued: long }).some(({ kind, name, value = '', index }) => {
    if (kind === 'operand' || OUTSIDE_SUBMODULES.test(args[index]?.slice(2) ?? '')) return false;
    const isStrategy = (kind === 'letter' ? name === 's' : isAbbreviation(name, 'strategy')) && STRATEGIES.test(value);
    if (isStrategy || /^--(?:recurse|reco|no-)/.test(`--${name}`)) return false;
    const isSetting = kind === 'letter' ? name === 'c' && letters.includes('c') : isAbbreviation(name, 'config');
    if (isSetting && isPlainSetting(value)) return false;
    return kind === 'letter'
      ? letters.includes(name)
      : [...long, ...attached].some((full) => isAbbreviation(name, full));
  });
}

function isPlainSetting(setting: string): boolean {
  return PLAIN_KEY.test(setting) || DISABLED.test(setting);
}

/** Reading has no value after the key. */
function changesPrograms(args: readonly string[]): boolean {
  if (
    args.some((word) =>
      /^--(?:get|list|l$|show-|name-only|unset|remove|edit)|^-l$|^(?:get|list|unset|edit)$/.test(word),
    )
  ) {
    return args.some((word) => /^-e$|^--edit$|^edit$/.test(word));
  }
  return args.some((word, index) => {
    const value = args[index + 1];
    return (
      /^[\w-]+\.\S+$/.test(word) && value !== undefined && !isPlainSetting(word) && !isPlainSetting(`${word}=${value}`)
    );
  });
}
