import { Lexer } from 'marked';

const lex = (s) => new Lexer({ gfm: true }).blockTokens(s, []);
const sh = (ts, d = 0) =>
  ts.forEach((t) => {
    console.log(' '.repeat(d) + t.type, JSON.stringify(t.raw));
    sh(t.items ?? t.tokens ?? [], d + 2);
  });
for (const s of [
  '-   - incl\n        - If\n',
  '-   - incl\n      x\n',
  '- a\n    - incl\n        - If\n',
  '- ▪\n  x\n',
]) {
  console.log(JSON.stringify(s));
  sh(lex(s));
}
