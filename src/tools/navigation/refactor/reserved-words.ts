const SCRIPT =
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if import in instanceof let new null return super switch this throw true try typeof undefined var void while with yield';
const PYTHON =
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield';
const C =
  'auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while';
const CPP = `${C} bool catch class const_cast constexpr delete dynamic_cast explicit export false friend mutable namespace new noexcept nullptr operator private protected public reinterpret_cast static_assert static_cast template this throw true try typeid typename using virtual`;
const GO =
  'break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var';
const RUST =
  'as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while';

/** By LSP `languageId`. Most servers rename to such a word without a murmur. */
const RESERVED: Readonly<Record<string, string>> = {
  javascript: SCRIPT,
  javascriptreact: SCRIPT,
  typescript: SCRIPT,
  typescriptreact: SCRIPT,
  python: PYTHON,
  c: C,
  cpp: CPP,
  go: GO,
  rust: RUST,
};

/** Whether a language keeps a word for itself; `false` also where its words are not known. */
export function isReserved(word: string, languageId: string): boolean {
  return Object.hasOwn(RESERVED, languageId) && (RESERVED[languageId]?.split(' ').includes(word) ?? false);
}

/** Whether a member may be called by any word of a language. */
export function takesAnyMember(languageId: string): boolean {
  return RESERVED[languageId] === SCRIPT;
}
