import { isJsonObject } from '@qwen/protocol';
export function recoverObjects(line: string): object[] {
  const found: object[] = [];
  let start = line.indexOf('{');
  while (start >= 0) {
    const end = endOfObject(line, start);
    const value = end === undefined ? undefined : parseObject(line.slice(start, end));
    if (value !== undefined) found.push(value);
    if (end === undefined) break;
    start = line.indexOf('{', end);
  }
  return found;
}

export function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let index = start; index < text.length; index += 1) {
    const character = text[index];
    if (isInString) {
      if (character === '\\') index += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') {
      isInString = true;
    } else if (character === '{') {
      depth += 1;
    } else if (character === '}') {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return undefined;
}
