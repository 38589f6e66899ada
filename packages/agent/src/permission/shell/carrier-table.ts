/** How a program takes code, or the name of another program, in its options. */
export interface Carrier {
  /** Options that take code or the name of a program. */
  readonly letters?: string;
  readonly valued?: string;
  readonly long?: readonly string[];
  readonly longValued?: readonly string[];
  /** The first operand is a script file; without one, the program reads code from its input. */
  readonly runsFile?: true;
  /** Options with which it reads nothing. */
  readonly quiet?: RegExp;
  /** Code that runs nothing and opens no file. */
  readonly harmless?: RegExp;
}

export const HELP = /^(?:-[vVh?]|--?version|--?help)$/;
const NODE_FACT = String.raw`(?:process\.(?:version|platform|arch|versions(?:\.\w+)?)|require\(['"]\.{0,2}[\w./@-]*package\.json['"]\)(?:\.\w+)*)`;
const PYTHON_FACT = String.raw`(?:sys\.(?:version|executable|path|platform|prefix)|"[^"\\]*"|'[^'\\]*'|[\d\s+*()/.-]+)`;

export const CARRIERS: Readonly<Record<string, Carrier>> = {
  python: {
    letters: 'ci',
    valued: 'cmWX',
    runsFile: true,
    quiet: HELP,
    harmless: new RegExp(String.raw`^(?:import sys\s*;\s*)?print\(${PYTHON_FACT}\);?$`),
  },
  node: {
    letters: 'epi',
    valued: 'eprC',
    long: ['eval', 'print', 'interactive'],
    longValued: ['eval'],
    runsFile: true,
    quiet: /^(?:-[vhc]|--(?:version|help|test|run|check|v8-options|watch-path)(?:=.*)?)$/,
    harmless: new RegExp(String.raw`^(?:console\.log\(${NODE_FACT}\)|${NODE_FACT});?$`),
  },
  bun: { letters: 'ep', valued: 'ep', long: ['eval', 'print'], longValued: ['eval', 'print'] },
  perl: { letters: 'eEMmdF', runsFile: true, quiet: HELP },
  ruby: { letters: 'e', valued: 'eCIrEW', runsFile: true, quiet: HELP },
  php: {
    letters: 'rBREa',
    valued: 'rBREFdcfz',
    long: ['run', 'process-begin', 'process-code', 'process-end'],
    runsFile: true,
    quiet: /^(?:-[vVhilmt?]|--version|--help|--ini|--info)$/,
  },
  lua: { letters: 'ei', valued: 'el', runsFile: true, quiet: HELP },
  tclsh: { runsFile: true },
  expect: { letters: 'ci', valued: 'cf', runsFile: true, quiet: HELP },
  Rscript: { letters: 'e', runsFile: true, quiet: HELP },
  R: { letters: 'ef', long: ['file'], runsFile: true, quiet: HELP },
  osascript: { letters: 'e', runsFile: true },
  guile: { letters: 'ce', runsFile: true, quiet: HELP },
  racket: { letters: 'e', long: ['eval'], runsFile: true, quiet: HELP },
  julia: { letters: 'eE', long: ['eval', 'print'], runsFile: true, quiet: HELP },
  elixir: { letters: 'e', long: ['eval', 'rpc-eval'], runsFile: true, quiet: HELP },
  erl: { letters: 'esr' },
  ocaml: { letters: 'e', runsFile: true, quiet: HELP },
  groovy: { letters: 'e', runsFile: true, quiet: HELP },
  scala: { letters: 'e', runsFile: true, quiet: HELP },
  jshell: { runsFile: true },
  irb: { runsFile: true },
  sbcl: { long: ['eval', 'load'], runsFile: true, quiet: HELP },
  emacs: { letters: 'fl', long: ['eval', 'execute', 'funcall', 'load', 'script'], runsFile: true, quiet: HELP },
  gnuplot: { letters: 'e', runsFile: true, quiet: HELP },
  octave: { long: ['eval'], runsFile: true, quiet: HELP },
  gs: { letters: 'c', runsFile: true, quiet: HELP },
  dc: { letters: 'e', long: ['expression'], runsFile: true, quiet: HELP },
  m4: { letters: 'D', long: ['define'], runsFile: true, quiet: HELP },
  vim: { letters: 'cSesu', long: ['cmd'], runsFile: true, quiet: /^--(?:version|help)$/ },
  ed: { runsFile: true, quiet: /^--(?:version|help)$/ },
  pwsh: { letters: 'ceC', runsFile: true, quiet: HELP },
  less: { letters: 'kP', long: ['lesskey-content', 'lesskey-file', 'lesskey-src'] },
  man: { letters: 'HP', long: ['html', 'pager', 'browser'] },
  gdb: { letters: 'exb', long: ['eval-command', 'ex', 'command', 'init-eval-command'], runsFile: true, quiet: HELP },
  fd: { letters: 'xX', valued: 'detSExXc', long: ['exec', 'exec-batch'] },
  rg: { long: ['pre', 'hostname-bin'], valued: 'efgtTABCmdEjMr' },
  sort: { valued: 'kotST', long: ['compress-program'] },
  split: { valued: 'abClnt', long: ['filter'] },
  rsync: { letters: 'e', valued: 'efTBM', long: ['rsh', 'rsync-path'] },
  scp: { letters: 'SDo', valued: 'cDFiJloPSX' },
  sftp: { letters: 'SDob', valued: 'BbcDFiJloPRSsX' },
  tcpdump: { letters: 'z', valued: 'BcCDEFGijJmMQrsTVwWyZz' },
  wget: { long: ['use-askpass'] },
  tar: {
    letters: 'IF',
    valued: 'CbfgHKLNTVXIF',
    long: 'use-compress-program to-command checkpoint-action rsh-command rmt-command info-script new-volume-script'.split(
      ' ',
    ),
    longValued: ['file', 'directory', 'exclude', 'files-from', 'transform'],
  },
  zip: { valued: 'btnPi', long: ['unzip-command'] },
  script: { runsFile: true, valued: 'cIOBTmoE', longValued: ['command'] },
  sqlite3: { long: [] },
  lftp: { letters: 'ecf', runsFile: true },
  ftp: { runsFile: true },
  psql: { valued: 'cdfhopUvLPRTF' },
  mysql: { valued: 'ehuPDS' },
};

/** Other names of the same program. */
export const SAME: Readonly<Record<string, string>> = {
  pypy: 'python',
  nodejs: 'node',
  luajit: 'lua',
  texlua: 'lua',
  vi: 'vim',
  nvim: 'vim',
  view: 'vim',
  ex: 'vim',
  rvim: 'vim',
  vimdiff: 'vim',
  red: 'ed',
  wish: 'tclsh',
  runghc: 'irb',
  more: 'less',
  most: 'less',
  bsdtar: 'tar',
  gtar: 'tar',
  powershell: 'pwsh',
  mariadb: 'mysql',
  sqlite: 'sqlite3',
  fdfind: 'fd',
  egdb: 'gdb',
  lldb: 'gdb',
  gmake: 'make',
  gsed: 'sed',
  gawk: 'awk',
  mawk: 'awk',
  nawk: 'awk',
  'original-awk': 'awk',
  goawk: 'awk',
};
