import { EventEmitter } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { widthOf } from '../lines/text-width.js';
import { FrameRoom } from './frame-room.js';
import { type DrawnFrame, type Reflow, rowsToTop } from './reflow.js';

/** Ink starts each frame with a synchronized update. */
const PICTURE_BEGINS = '\u001b[?2026h';
const PICTURE_ENDS = '\u001b[?2026l';
// Ink ends a frame with a visible cursor by moving it up from below the last line and then to a column.
// oxlint-disable-next-line no-control-regex -- matches escape sequences.
const CURSOR_PLACE = /(?:\u001b\[(\d+)A)?\u001b\[(\d+)G\u001b\[\?25h$/;
// oxlint-disable-next-line no-control-regex -- matches escape sequences.
const MODES = /^(?:\u001b\[[?<>=][\d;]*[a-z])*$/;
const BELOW_THE_FRAME = { up: 0, column: 0 };

interface FramePainter {
  /** Drops the last frame so that the next is drawn in full. Its output is discarded. */
  readonly forget: () => void;
  /** Lays out for the current size. Its output is discarded. */
  readonly layOut: () => void;
  /** Widths of the last drawn lines, top to bottom. */
  readonly widths: () => readonly number[];
}

/**
 * The terminal stream for Ink that survives resizes. Ink learns of them late and counts unwrapped lines. This stream
 * writes each frame whole and only at the size Ink laid out for; otherwise it erases the wrapped frame and redraws
 * it.
 */
export class ResizableOutput {
  /** Ink's stdout and source of the size. */
  readonly stream: NodeJS.WriteStream;
  readonly #output: NodeJS.WriteStream;
  readonly #writeOut: NodeJS.WriteStream['write'];
  readonly #reflow: Reflow;
  readonly #room: FrameRoom;
  readonly #sizes = new EventEmitter();
  #painter: FramePainter | undefined;
  #columns: number;
  #rows: number;
  /** Cursor on the screen; undefined when no frame is shown. */
  #cursor: DrawnFrame['cursor'] | undefined;
  #picture: string[] | undefined;
  /** Permanent text above the frame. */
  #above = '';
  #isDropping = false;
  #isFollowing = false;

  constructor(output: NodeJS.WriteStream, reflow: Reflow) {
    this.#output = output;
    this.#writeOut = output.write.bind(output);
    this.#reflow = reflow;
    this.#columns = output.columns;
    this.#rows = output.rows;
    this.#room = new FrameRoom({ columns: output.columns, rows: output.rows });
    output.on('resize', this.#follow);
    this.stream = this.#watched();
  }

  /** Before this, resizes are ignored. */
  attach(painter: FramePainter): void {
    this.#painter = painter;
    this.#follow();
  }

  /** Prints above the frame with Ink's `write`. */
  printAbove(text: string, write: (text: string) => void): void {
    this.#follow();
    this.#above = text;
    write(text);
    this.#above = '';
  }

  /** Ink has stopped drawing; releases the terminal. */
  release(): void {
    this.#output.off('resize', this.#follow);
  }

  readonly #follow = (): void => {
    if (this.#isFollowing || this.#painter === undefined) return;
    this.#isFollowing = true;
    askForSize(this.#output);
    if (this.#hasChanged) this.#redraw(this.#painter);
    this.#isFollowing = false;
  };

  get #hasChanged(): boolean {
    return this.#output.columns !== this.#columns || this.#output.rows !== this.#rows;
  }

  #redraw({ forget, layOut }: FramePainter): void {
    this.#eraseFrame();
    this.#columns = this.#output.columns;
    this.#rows = this.#output.rows;
    // Ink first draws the old layout, which may be higher than the screen.
    this.#isDropping = true;
    this.#sizes.emit('resize');
    layOut();
    forget();
    this.#isDropping = false;
    this.#sizes.emit('resize');
  }

  #eraseFrame(): void {
    if (this.#cursor === undefined || this.#painter === undefined) return;
    const { columns, rows } = this.#output;
    const frame = { widths: this.#painter.widths(), cursor: this.#cursor };
    const lostRows = Math.max(0, this.#rows - rows);
    const change = { reflow: this.#reflow, columns, lostRows, room: this.#room.rows };
    const toTop = rowsToTop(frame, change);
    const height = frame.widths.length;
    const place = Math.max(0, height - frame.cursor.up);
    this.#room.resize({ columns, rows }, { height, place, breaks: toTop - place });
    const up = Math.min(toTop, rows - 1);
    this.#output.write(`${up === 0 ? '' : `\u001b[${up}A`}\r\u001b[J`);
    this.#cursor = undefined;
  }

  #write(chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean {
    if (chunk === PICTURE_BEGINS) this.#picture = [];
    else if (chunk === PICTURE_ENDS) this.#endPicture();
    else if (typeof chunk === 'string' && this.#picture !== undefined) this.#picture.push(chunk);
    else if (!this.#isDropping || chunk === '') {
      // Between frames Ink only erases or leaves its frame.
      if (typeof chunk !== 'string' || !MODES.test(chunk)) this.#cursor = undefined;
      return Reflect.apply(this.#writeOut, undefined, [chunk, ...rest]);
    }
    return true;
  }

  #endPicture(): void {
    const text = this.#picture?.join('') ?? '';
    this.#picture = undefined;
    if (this.#isDropping) return;
    const wasFollowing = this.#isFollowing;
    this.#isFollowing = true;
    askForSize(this.#output);
    this.#isFollowing = wasFollowing;
    if (this.#hasChanged) {
      this.#eraseFrame();
      if (this.#above !== '') this.#output.write(this.#above);
      this.#room.print(this.#above);
      // Ink must first finish the frame it believes it drew.
      queueMicrotask(this.#follow);
      return;
    }
    this.#output.write(`${PICTURE_BEGINS}${text}${PICTURE_ENDS}`);
    this.#room.print(this.#above);
    if (!MODES.test(text)) this.#cursor = placeBehind(text);
  }

  #watched(): NodeJS.WriteStream {
    const write = this.#write.bind(this);
    return new Proxy(this.#output, {
      get: (target, name) => {
        if (name === 'write') return write;
        if (name === 'columns') return this.#columns;
        if (name === 'rows') return this.#rows;
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        if (name !== 'on' && name !== 'off') return value.bind(target);
        return (event: string, listener: () => void) =>
          event === 'resize' ? this.#sizes[name](event, listener) : target[name](event, listener);
      },
    });
  }
}

/** SIGWINCH arrives only after the current task; this reads the size at once. */
function askForSize(output: NodeJS.WriteStream): void {
  const refresh: unknown = Reflect.get(output, '_refreshSize');
  if (typeof refresh === 'function') refresh.call(output);
}

function placeBehind(text: string): DrawnFrame['cursor'] {
  const [, up = '0', place] = CURSOR_PLACE.exec(text) ?? [];
  if (place !== undefined) return { up: Number(up), column: Number(place) - 1 };
  if (text.endsWith('\n')) return BELOW_THE_FRAME;
  return { up: 1, column: widthOf(stripVTControlCharacters(text.slice(text.lastIndexOf('\n') + 1))) };
}
