import {
  CALL,
  DOUBLE_QUOTED,
  type Grammar,
  HASH,
  keywords,
  NUMBER,
  type Rule,
  SINGLE_QUOTED,
  SLASH_STAR,
  SLASHES,
  TYPE,
} from './grammar.js';

const TEMPLATE: Rule = { role: 'string', pattern: '`', until: '`' };

function likeC(words: string, strings: readonly Rule[] = [DOUBLE_QUOTED, SINGLE_QUOTED]): Grammar {
  return { rules: [SLASHES, SLASH_STAR, ...strings, keywords(words), NUMBER, CALL, TYPE] };
}

export const SCRIPT = likeC(
  `abstract any as asserts async await bigint boolean break case catch class const continue debugger declare default
   delete do else enum export extends false finally for from function get if implements import in infer instanceof
   interface is keyof let namespace never new null number object of override private protected public readonly return
   satisfies set static string super switch symbol this throw true try type typeof undefined unknown using var void
   while with yield`,
  [DOUBLE_QUOTED, SINGLE_QUOTED, TEMPLATE],
);

export const C = likeC(
  `alignas auto bool break case catch char class const constexpr continue default delete do double else enum explicit
   extern false final float for friend if include define ifdef ifndef endif inline int long namespace new noexcept
   nullptr NULL operator override private protected public register return short signed sizeof static struct switch
   template this throw true try typedef typename union unsigned using virtual void volatile while`,
);

export const JAVA = likeC(
  `abstract as async await base bool boolean break by byte case catch char class companion const continue data decimal
   default delegate do double dynamic else enum event extends extension false final finally float for foreach fun func
   get guard if implements import in init inner int interface internal is let long namespace new nil null object open
   operator out override package private protected protocol public readonly record return sealed self set short static
   string struct super suspend switch this throw throws true try typealias typeof using val var virtual void volatile
   when where while yield`,
  [
    { role: 'string', pattern: '"""', until: '"""' },
    DOUBLE_QUOTED,
    SINGLE_QUOTED,
    { role: 'type', pattern: String.raw`@\w+` },
  ],
);

export const GO = likeC(
  `any bool break byte case chan comparable complex128 const continue default defer else error fallthrough false
   float32 float64 for func go goto if import int int8 int16 int32 int64 interface iota map nil package range return
   rune select string struct switch true type uint uint8 uint16 uint32 uint64 uintptr var`,
  [DOUBLE_QUOTED, SINGLE_QUOTED, TEMPLATE],
);

export const RUST = likeC(
  `as async await bool box break char const continue crate dyn else enum extern f32 f64 false fn for i8 i16 i32 i64
   i128 if impl in isize let loop match mod move mut pub ref return self Self static str struct super trait true type
   u8 u16 u32 u64 u128 union unsafe use usize where while`,
  // A single quote also starts a lifetime.
  [
    DOUBLE_QUOTED,
    { role: 'string', pattern: String.raw`'(?:[^'\\]|\\[^'\n]+|\\')'` },
    { role: 'type', pattern: String.raw`#!?\[` },
  ],
);

export const PHP = likeC(
  `abstract and array as break case catch class const continue default do echo else elseif empty enum extends false
   final finally fn for foreach function global if implements include instanceof interface isset match namespace new
   null or private protected public readonly require return self static string switch this throw trait true try unset
   use var void while yield`,
  [HASH, DOUBLE_QUOTED, SINGLE_QUOTED, { role: 'name', pattern: String.raw`\$\w+` }],
);

export const PYTHON: Grammar = {
  rules: [
    HASH,
    { role: 'string', pattern: String.raw`\b[rRbBfFuU]{0,2}"""|"""`, until: '"""' },
    { role: 'string', pattern: String.raw`\b[rRbBfFuU]{0,2}'''|'''`, until: "'''" },
    DOUBLE_QUOTED,
    SINGLE_QUOTED,
    { role: 'type', pattern: String.raw`@[\w.]+` },
    keywords(
      `and as assert async await break case class continue def del elif else except False finally for from global if
       import in is lambda match None nonlocal not or pass raise return self True try while with yield`,
    ),
    NUMBER,
    CALL,
    TYPE,
  ],
};

export const RUBY: Grammar = {
  rules: [
    HASH,
    DOUBLE_QUOTED,
    SINGLE_QUOTED,
    { role: 'name', pattern: String.raw`@{1,2}\w+|(?<![:\w]):\w+` },
    keywords(
      `alias and begin break case class def defined do else elsif end ensure false for if in module next nil not or
       redo require rescue retry return self super then true undef unless until when while yield`,
    ),
    NUMBER,
    CALL,
    TYPE,
  ],
};

export const LUA: Grammar = {
  rules: [
    { role: 'comment', pattern: String.raw`--\[\[`, until: String.raw`\]\]` },
    { role: 'comment', pattern: '--.*' },
    { role: 'string', pattern: String.raw`\[\[`, until: String.raw`\]\]` },
    DOUBLE_QUOTED,
    SINGLE_QUOTED,
    keywords(
      `and break do else elseif end false for function goto if in local nil not or repeat return then true until while`,
    ),
    NUMBER,
    CALL,
  ],
};

export const SHELL: Grammar = {
  rules: [
    HASH,
    { role: 'string', pattern: '"', until: '"' },
    { role: 'string', pattern: String.raw`'[^']*'?` },
    { role: 'name', pattern: String.raw`\$(?:\{[^}]*\}?|\w+|[@#?$!*-])` },
    keywords(
      `alias break case cd continue do done echo elif else esac eval exec exit export fi for function if in local
       read return select set shift source sudo then trap unset until while`,
    ),
    { role: 'type', pattern: String.raw`(?<=\s)--?[A-Za-z][\w-]*` },
    NUMBER,
  ],
};

export const SQL: Grammar = {
  ignoresCase: true,
  rules: [
    { role: 'comment', pattern: '--.*' },
    SLASH_STAR,
    SINGLE_QUOTED,
    DOUBLE_QUOTED,
    keywords(
      `add all alter and as asc begin between bigint bool boolean by cascade case check column commit constraint create
       cross database date default delete desc distinct drop else end exists false foreign from full group having if
       in index inner insert int integer into is join key left like limit not null numeric offset on or order outer
       over partition primary references returning right rollback row select serial set table text then timestamp
       transaction trigger true union unique update using values varchar view when where with`,
    ),
    NUMBER,
    CALL,
  ],
};
