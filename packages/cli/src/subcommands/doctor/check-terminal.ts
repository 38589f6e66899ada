import { lookOf } from '@qwen/host/config/terminal-look.js';
import { openStdout } from '../../io/line-writer.js';
import type { Check, DoctorContext, Finding } from './finding.js';

const MULTIPLEXERS = { TMUX: 'tmux', STY: 'screen', ZELLIJ: 'zellij' } as const;

export const checkTerminal: Check = async (place) => judgeTerminal(place, openStdout());

export function judgeTerminal(
  { environment, variables }: Pick<DoctorContext, 'environment' | 'variables'>,
  output: { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number },
): readonly Finding[] {
  if (output.isTTY !== true)
    return [{ area: 'terminal', level: 'ok', message: 'the output is not a terminal: plain text' }];
  const { TERM: terminal } = environment;
  const between = Object.entries(MULTIPLEXERS).find(([name]) => Boolean(variables[name]))?.[1];
  const { hasColours } = lookOf(output, environment);
  const size = `${output.columns ?? '?'} × ${output.rows ?? '?'}`;
  const facts = [
    terminal ?? 'TERM is not set',
    size,
    hasColours ? 'colors' : 'no colors',
    ...(between ? [`in ${between}`] : []),
  ];
  const language = variables['LC_ALL'] || variables['LC_CTYPE'] || variables['LANG'] || '';
  return [
    { area: 'terminal', level: 'ok', message: facts.join(', ') },
    ...(terminal === 'dumb'
      ? [warning('TERM=dumb: plain text only', 'Set TERM to your terminal type, such as xterm-256color.')]
      : []),
    ...(process.platform !== 'win32' && !/utf-?8/i.test(language)
      ? [
          warning(
            `the locale (${language || 'none is set'}) is not UTF-8: symbols may appear as boxes`,
            'Set LANG to a UTF-8 locale, such as C.UTF-8.',
          ),
        ]
      : []),
    ...(between !== undefined && terminal !== undefined && !/^(?:screen|tmux)/.test(terminal)
      ? [
          warning(
            `in ${between} TERM is usually screen-256color or tmux-256color, not ${terminal}`,
            `Let ${between} set TERM.`,
          ),
        ]
      : []),
  ];
}

function warning(message: string, advice: string): Finding {
  return { area: 'terminal', level: 'warning', message, advice };
}
