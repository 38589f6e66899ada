import { EventEmitter } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { widthOf } from '../lines/text-width.js';
import { FrameRoom } from './frame-room.js';
import { type DrawnFrame, type Reflow, rowsToTop } from './reflow.js';

/** What Ink puts around all that belongs to one picture. */
const PICTURE_BEGINS = '\u001b[?2026h';
const PICTURE_ENDS = '\u001b[?2026l';
// How Ink ends a frame in which the cursor is shown: so many lines up from below the last one, then to a column.
// oxlint-disable-next-line no-control-regex -- sequences are what is looked for.
const CURSOR_PLACE = /(?:\u001b\[(\d+)A)?\u001b\[(\d+)G\u001b\[\?25h$/;
// oxlint-disable-next-line no-control-regex -- sequences are what is looked for.
const MODES = /^(?:\u001b\[[?<>=][\d;]*[a-z])*$/;
const BELOW_THE_FRAME = { up: 0, column: 0 };

/** Draws the frame: Ink. */
interface FramePainter {
  /** Forgets what was drawn, so that the next frame is drawn whole. What it writes for that is dropped. */
  readonly forget: () => void;
  /** Lays out for the size that the output tells now. What it draws meanwhile is dropped. */
  readonly layOut: () => void;
  /** The widths of the lines that were drawn last, from above. */
  readonly widths: () => readonly number[];
}

/**
 * The terminal for Ink, whose size changes while Ink draws. Ink learns of a change late, and counts lines as it wrote
 * them, which terminals have broken by then. So each of its pictures goes out as a whole, and only when the terminal is
 * still as large as Ink believes. Otherwise the frame is erased as high as it is now, and drawn anew for the new size.
 */
export class ResizableOutput {
  /** What Ink writes to, and asks for the size. */
  readonly stream: NodeJS.WriteStream;
  readonly #output: NodeJS.WriteStream;
  readonly #writeOut: NodeJS.WriteStream['write'];
  readonly #reflow: Reflow;
  readonly #room: FrameRoom;
  readonly #sizes = new EventEmitter();
  #painter: FramePainter | undefined;
  #columns: number;
  #rows: number;
  /** Of what stands on the screen; missing while nothing of ours does. */
  #cursor: DrawnFrame['cursor'] | undefined;
  #picture: string[] | undefined;
  /** Of the picture: what stays above the frame for good. */
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

  /** Who draws; before that nothing is done about sizes. */
  attach(painter: FramePainter): void {
    this.#painter = painter;
    this.#follow();
  }

  /** Prints text above the frame with this function of Ink. */
  printAbove(text: string, write: (text: string) => void): void {
    this.#follow();
    this.#above = text;
    write(text);
    this.#above = '';
  }

  /** Ink draws no more: the terminal is its owner's again. */
  release(): void {
    this.#output.off('resize', this.#follow);
  }

  readonly #follow = (): void => {
    if (this.#isFollowing || this.#painter === undefined) return;
    this.#isFollowing = true;
    askForSize(this.#output);
    if (this.#hasChanged) this.#drawAnew(this.#painter);
    this.#isFollowing = false;
  };

  get #hasChanged(): boolean {
    return this.#output.columns !== this.#columns || this.#output.rows !== this.#rows;
  }

  #drawAnew({ forget, layOut }: FramePainter): void {
    this.#eraseFrame();
    this.#columns = this.#output.columns;
    this.#rows = this.#output.rows;
    // Ink draws at once what was laid out for the old size, and that may be higher than the screen now.
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
      // Between pictures Ink only erases its frame, or leaves it.
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
      // Ink believes that it has drawn, and has to end that first.
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

/** Node learns of a change by a signal, which comes after what the process does just now; this asks at once. */
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
