/** The kinds of picture that models take, by their first bytes. */
const SIGNATURES: readonly { readonly mediaType: string; readonly pattern: RegExp }[] = [
  { mediaType: 'image/png', pattern: /^\x89PNG\r\n\x1a\n/ },
  { mediaType: 'image/jpeg', pattern: /^\xff\xd8\xff/ },
  { mediaType: 'image/gif', pattern: /^GIF8[79]a/ },
  { mediaType: 'image/webp', pattern: /^RIFF[\s\S]{4}WEBP/ },
];

/** How many bytes of a file are enough for {@link imageMediaType}. */
export const SIGNATURE_BYTES = 12;

/** The media type of a picture by its content, never by its name; undefined for everything else. */
export function imageMediaType(head: Buffer): string | undefined {
  const text = head.toString('latin1', 0, SIGNATURE_BYTES);
  return SIGNATURES.find(({ pattern }) => pattern.test(text))?.mediaType;
}
