import { type EndingWords, failureNotice } from '@qwen/host/styled-output/output-for.js';
import { annotationLine, type LineOrigin, type ModelLine } from './line-parts.js';
import { terminalAnnotation } from './terminal-annotation.js';

export function failureMark({ mark }: EndingWords, origin: LineOrigin): ModelLine {
  return annotationLine(origin, [terminalAnnotation(failureNotice([mark]), origin)]);
}
