export type LegacyEncoding = 'gbk' | 'big5' | 'shift_jis' | 'euc-jp' | 'euc-kr' | 'windows-1251' | 'windows-1252';

/** The most likely encoding of a text that is not UTF-8. */
export function guessEncoding(bytes: Uint8Array): LegacyEncoding {
  const japanese = pairsOf(bytes, (lead) => lead >= 0xa1 && lead <= 0xdf);
  if (isShiftJis(japanese)) return 'shift_jis';
  const pairs = pairsOf(bytes, () => false);
  // In the encodings of the EUC kind, both bytes are high.
  const isEuc = pairs.list.length > 0 && pairs.list.every(([lead, trail]) => lead >= 0x8e && trail >= 0xa1);
  if (isEuc && share(pairs, isEucKana) >= 0.2) return 'euc-jp';
  if (isEuc && isKorean(pairs)) return 'euc-kr';
  if (isBig5(pairs)) return 'big5';
  if (pairs.list.every(([, trail]) => trail >= 0x40) && share(pairs, isCommonGbk) >= 0.7) return 'gbk';
  return isCyrillic(bytes) ? 'windows-1251' : 'windows-1252';
}

type Pair = readonly [lead: number, trail: number];

interface Pairs {
  readonly list: readonly Pair[];
  /** How many of them are next to another one. Accents and quotes of other encodings are rarely. */
  readonly adjacent: number;
  readonly spaced: number;
  readonly singles: number;
}

function pairsOf(bytes: Uint8Array, isSingle: (lead: number) => boolean): Pairs {
  const list: Pair[] = [];
  const ends: number[] = [];
  let singles = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) continue;
    if (isSingle(lead)) {
      singles += 1;
      continue;
    }
    list.push([lead, bytes[at + 1] ?? 0]);
    at += 1;
    ends.push(at);
  }
  const touch = (index: number) => ends[index] === (ends[index + 1] ?? 0) - 2;
  const adjacent = list.filter((_, index) => touch(index) || touch(index - 1)).length;
  const spaced = ends.filter((end, index) => ends[index + 1] === end + 3 && bytes[end + 1] === 0x20).length;
  return { list, adjacent, spaced, singles };
}

function share({ list }: Pairs, isCounted: (pair: Pair) => boolean): number {
  return list.length === 0 ? 0 : list.filter(isCounted).length / list.length;
}

function isText({ list, adjacent }: Pairs): boolean {
  return list.length >= 2 && adjacent * 2 >= list.length;
}

/** Kana, punctuation and the 2965 common characters; the latter alone are too similar to other encodings. */
function isShiftJis(pairs: Pairs): boolean {
  const isValid = pairs.list.every(([, trail]) => trail >= 0x40 && trail !== 0x7f && trail <= 0xfc);
  const isKana = ([lead, trail]: Pair) => (lead === 0x82 && trail >= 0x9f) || (lead === 0x83 && trail <= 0x96);
  const isCommon = (pair: Pair) => isKana(pair) || pair[0] <= 0x82 || (pair[0] >= 0x88 && pair[0] <= 0x97);
  if (!isValid || !isText(pairs) || pairs.singles > pairs.list.length) return false;
  return share(pairs, isCommon) >= 0.9 && (share(pairs, isKana) >= 0.15 || pairs.adjacent === pairs.list.length);
}

function isEucKana([lead]: Pair): boolean {
  return lead === 0xa4 || lead === 0xa5;
}

/** Nearly only syllables. Few of them may be Chinese, which has no blanks between words. */
function isKorean({ list, spaced }: Pairs): boolean {
  const letters = list.filter(([lead]) => lead >= 0xb0);
  const syllables = letters.filter(([lead]) => lead <= 0xc8);
  return syllables.length >= (spaced > 0 ? 5 : 10) && syllables.length >= letters.length * 0.98;
}

/** Punctuation and the 5401 common characters, some with a second byte that GB 2312 does not have. */
function isBig5(pairs: Pairs): boolean {
  const isValid = pairs.list.every(([, trail]) => (trail >= 0x40 && trail <= 0x7e) || trail >= 0xa1);
  if (!isValid || !isText(pairs) || !pairs.list.some(([, trail]) => trail <= 0x7e)) return false;
  return share(pairs, ([lead]) => lead >= 0xa1 && lead <= 0xc6) >= 0.95;
}

/** Punctuation or one of the 3755 common characters. */
function isCommonGbk([lead, trail]: Pair): boolean {
  return trail >= 0xa1 && ((lead >= 0xa1 && lead <= 0xa9) || (lead >= 0xb0 && lead <= 0xd7));
}

function isCyrillic(bytes: Uint8Array): boolean {
  let [high, inWords, small, run] = [0, 0, 0, 0];
  for (const byte of [...bytes, 0]) {
    const isLetter = byte >= 0xc0 || byte === 0xa8 || byte === 0xb8;
    if (byte >= 0x80) high += 1;
    if (byte >= 0xe0) small += 1;
    if (isLetter) {
      run += 1;
      continue;
    }
    if (run >= 3) inWords += run;
    run = 0;
  }
  return inWords * 10 >= high * 7 && small * 10 >= inWords * 6;
}
