/** Whether `pattern`, in which `*` stands for any text, fits all of `text`. Time grows with the product of lengths at worst. */
export function matchesWildcard(pattern: string, text: string): boolean {
  let inPattern = 0;
  let inText = 0;
  let star = -1;
  let afterStar = 0;
  while (inText < text.length) {
    if (pattern[inPattern] === '*') {
      star = inPattern;
      inPattern += 1;
      afterStar = inText;
    } else if (pattern[inPattern] === text[inText]) {
      inPattern += 1;
      inText += 1;
    } else if (star >= 0) {
      // The last star takes one character more.
      inPattern = star + 1;
      afterStar += 1;
      inText = afterStar;
    } else {
      return false;
    }
  }
  while (pattern[inPattern] === '*') inPattern += 1;
  return inPattern === pattern.length;
}
