import { fileURLToPath } from 'node:url';

/** Longer texts are not parsed as paths. */
const MAX_LENGTH = 8_192;
const MAX_PATHS = 50;

export interface PathStyle {
  readonly platform: NodeJS.Platform;
  /** Absolute; replaces `~`. */
  readonly homeDirectory: string;
}

/**
 * Parses absolute paths as terminals write dropped files: quoted, escaped, or `file://` URLs, separated by
 * whitespace. Undefined for any other text. Does not check existence.
 */
export function droppedPaths(text: string, style: PathStyle): readonly string[] | undefined {
  const line = text.trim();
  if (line === '' || line.length > MAX_LENGTH || !/^(?:["']|[~/\\]|file:\/\/|[a-z]:[\\/])/i.test(line))
    return undefined;
  const isWindows = style.platform === 'win32';
  const words = wordsOf(line, isWindows);
  if (words === undefined || words.length > MAX_PATHS) return undefined;
  const paths = words.map((word) => toPath(word, style));
  return paths.every((path) => path !== undefined) ? paths : undefined;
}

/** Splits at unquoted, unescaped blanks; undefined for an unclosed quote. */
function wordsOf(text: string, isWindows: boolean): string[] | undefined {
  const piece = isWindows ? /"([^"]*)"|([^\s"]+)|(\s+)/gy : /"([^"]*)"|'([^']*)'|\\([^])|([^\s"'\\]+)|(\s+)/gy;
  const words: string[] = [];
  let word: string | undefined;
  let end = 0;
  for (const found of text.matchAll(piece)) {
    end = found.index + found[0].length;
    if (found.at(-1) === undefined)
      word = (word ?? '') + (found.slice(1, -1).find((group) => group !== undefined) ?? '');
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  if (end !== text.length) return undefined;
  return word === undefined ? words : [...words, word];
}

function toPath(word: string, { platform, homeDirectory }: PathStyle): string | undefined {
  const isWindows = platform === 'win32';
  if (/^file:\/\//i.test(word)) return fromAddress(word, isWindows);
  if (/^~[/\\]/.test(word)) return homeDirectory + word.slice(1);
  const isAbsolute = isWindows ? /^(?:[a-z]:[\\/]|\\\\)/i.test(word) : word.startsWith('/');
  return isAbsolute ? word : undefined;
}

function fromAddress(address: string, isWindows: boolean): string | undefined {
  try {
    return fileURLToPath(address, { windows: isWindows });
  } catch {
    return undefined;
  }
}
