/** A language of highlight.js. */
export type LanguageFn = (hljs?: unknown) => { readonly name?: string };
declare const language: LanguageFn;
export default language;
