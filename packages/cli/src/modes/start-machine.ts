import type { Readable, Writable } from 'node:stream';
import type { Configuration } from '@qwen/host/config/load-config.js';
import type { SessionChoice } from '@qwen/host/config/session-choice.js';
import type { Surface } from '@qwen/host/config/surface.js';
import { looksOf } from '@qwen/host/config/terminal-look.js';
import { toExitCode } from '@qwen/host/exit-code.js';
import type { Flags } from '@qwen/host/flags/args.js';
import { interceptPrints } from '@qwen/host/process/print-interceptor.js';
import type { Shutdown } from '@qwen/host/process/shutdown.js';
import { AgentError } from '@qwen/protocol';
import { readOutputLine } from '@qwen/protocol/openai';
import { createLineClock } from '../dialects/openai/line-clock.js';
import { LineWriter } from '../io/line-writer.js';
import type { Recording } from '../recording/recording.js';
import { denyWithHint } from './deny-with-hint.js';
import { DocumentMode, LineCollector } from './document.js';
import type { EventWriter } from './event-writers/event-writer.js';
import { LineEventWriter } from './event-writers/line-event-writer.js';
import { TextEventWriter } from './event-writers/text-event-writer.js';
import { fatalOutput } from './fatal-output.js';
import { FirstLine } from './first-line.js';
import type { MachineMode } from './machine-mode.js';
import { OpenAiMode, type OpenAiModeOptions } from './openai-mode.js';
import { readInput, StreamJsonMode } from './stream-json.js';

export interface MachineStart {
  readonly input: Readable;
  readonly output: Writable;
  readonly stderr: Writable;
  readonly flags: Flags;
  readonly surface: Surface;
  readonly configuration: Configuration;
  readonly session: SessionChoice;
  readonly shutdown: Shutdown;
  /** Undefined: read lines from stdin. */
  readonly prompt?: string;
  /** Records both directions. */
  readonly recording?: Recording;
  readonly onProblem?: (error: AgentError) => void;
}

export function startMachine(start: MachineStart): MachineMode {
  const { input, output, surface, configuration, session, shutdown, prompt, recording, onProblem } = start;
  const onLost = (error: AgentError): void => shutdown.begin(toExitCode(error));
  const collector = surface.output === 'document' ? new LineCollector() : undefined;
  const writer = new LineWriter(collector ?? output, {
    onLost,
    ...(recording !== undefined && { onWrite: (text) => recording.output(text) }),
  });
  const common = {
    writer,
    configuration,
    session,
    shutdown,
    isOneShot: prompt !== undefined,
    ...(prompt !== undefined && { permissions: denyWithHint(STDIN_IS_TEXT) }),
    ...(onProblem !== undefined && { onProblem }),
  };
  const sdk = (): MachineMode => new StreamJsonMode(common);
  const lines = surface.dialect === 'sdk' ? sdk() : startOpenAi(start, { common, sdk });
  const mode =
    collector === undefined
      ? lines
      : new DocumentMode({ mode: lines, collector, writer: new LineWriter(output, { onLost }) });
  if (prompt === undefined) {
    readInput(input, recording === undefined ? mode : recorded(mode, recording), configuration);
  } else {
    mode.accept({ frame: { kind: 'message', message: toMessage(prompt) }, lineNumber: 1, text: '' });
    mode.endInput();
  }
  return mode;
}

/** Lines over the limit are not recorded. */
function recorded(mode: MachineMode, recording: Recording): MachineMode {
  return {
    done: mode.done,
    accept(line) {
      recording.input(line.text);
      mode.accept(line);
    },
    endInput: () => mode.endInput(),
    cancel: () => mode.cancel(),
    fail: (error) => mode.fail(error),
  };
}

const STDIN_IS_TEXT = 'No one can approve it because stdin is text.';

interface OpenAiStart {
  readonly common: Omit<OpenAiModeOptions, 'eventWriter' | 'formats' | 'heartbeatIntervalMs' | 'isStrict'>;
  readonly sdk: () => MachineMode;
}

/** The receipt is sent before any input is read. */
function startOpenAi({ flags, surface, output, stderr }: MachineStart, { common, sdk }: OpenAiStart): MachineMode {
  const clock = createLineClock(() => Date.now());
  const { writer, configuration } = common;
  const isText = surface.output === 'text';
  const eventWriter: EventWriter = isText
    ? new TextEventWriter({ writer, stderr, clock, looks: looksOf({ stdout: output, stderr }) })
    : new LineEventWriter({
        writer,
        clock,
        cwd: configuration.cwd,
        format: surface.isChunked ? 'chunk' : 'message',
        ...(flags.strictProtocol === true && { passes: (line: object) => isFit(line, common) }),
      });
  const mode = new OpenAiMode({
    ...common,
    ...(isText && { permissions: denyWithHint(STDIN_IS_TEXT) }),
    eventWriter,
    isStrict: flags.strictProtocol === true,
    formats: { input: flags.inputFormat ?? 'text', output: flags.outputFormat ?? 'text' },
    heartbeatIntervalMs: (flags.heartbeatInterval ?? 0) * 1_000,
  });
  if (isText) return mode;
  mode.writeReceipt();
  const release = interceptPrints({ keepsRaw: configuration.debug, onPrint: (printed) => mode.print(printed) });
  if (!surface.mayTurnSdk) return mode;
  const becomeSdk = (): MachineMode => {
    release();
    mode.yield();
    return sdk();
  };
  return new FirstLine({ shutdown: common.shutdown, sdk: becomeSdk, openai: () => mode });
}

/** With `--strict-protocol` an invalid output line is dropped and ends the program. */
function isFit(line: object, { writer, shutdown }: OpenAiStart['common']): boolean {
  const { kind } = readOutputLine(JSON.stringify(line));
  if (kind !== 'invalid' && kind !== 'unknown') return true;
  writer.writeControl(
    fatalOutput(new AgentError('internal', `Invalid protocol line: ${kind}.`), { argv: [], dialect: 'openai' }),
  );
  shutdown.begin(1);
  return false;
}

function toMessage(content: string) {
  return {
    type: 'user' as const,
    message: { role: 'user' as const, content },
    parent_tool_use_id: null,
    session_id: '',
  };
}
