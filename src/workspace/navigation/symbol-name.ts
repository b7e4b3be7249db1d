/** A symbol as a caller names it: by itself, inside of others, in a file. */
export interface SymbolName {
  /** As it was spelled; `undefined`: anywhere. */
  readonly file: string | undefined;
  /** From the outermost named symbol to the one that is meant, which is the last; at least one. */
  readonly names: readonly [string, ...string[]];
}

const MAX_NAME = 500;

/**
 * Reads `name`, `Class/method`, `Class.method`, `ns::name` and `file#any of these`; `undefined` where no name is left.
 * What stands before `#` is a file when it looks like a path; `Class#method` is a method.
 */
export function readSymbolName(text: string): SymbolName | undefined {
  const trimmed = text.trim();
  if (trimmed.length > MAX_NAME || /\p{Cc}/u.test(trimmed)) return undefined;
  const hash = trimmed.indexOf('#');
  const before = trimmed.slice(0, Math.max(0, hash));
  const isFile = hash > 0 && /[./\\]/.test(before) && !/[./\\]$/.test(before);
  const [first, ...rest] = namesIn(isFile ? trimmed.slice(hash + 1) : trimmed);
  return first === undefined ? undefined : { file: isFile ? before : undefined, names: [first, ...rest] };
}

/** `Class/method` of the names. */
export function shownName({ names }: SymbolName): string {
  return names.join('/');
}

/**
 * The names in what a server calls a symbol, the outermost first: `(*Square).Area`, `Square::area(int)` and
 * `impl Shape for Square` have receivers, owners and parameters in one text.
 */
export function namesInServerName(text: string): readonly string[] {
  if (text.length > MAX_NAME) return [text];
  const bare = withoutTypes(text)
    .replace(/^\(\*?([^()]*)\)(?=\.)/, '$1')
    .replace(/^impl\b.*?([\p{L}_][\p{L}\p{N}_]*)$/u, '$1')
    .replace(/(?<=.)\([\s\S]*\)$/, '');
  const parts = bare.split(/::|[/.]/);
  return parts.every((part) => part !== '') ? parts : [bare];
}

function namesIn(text: string): readonly string[] {
  // A private member's `#` belongs to its name, the one behind a name parts two.
  return withoutTypes(text.replace(/\([\s\S]*\)$/, ''))
    .split(/::|[/.]|(?<=[\p{L}\p{N}_$])#/u)
    .map((part) => part.trim().replace(/\(.*\)$/, ''))
    .filter((part) => part !== '' && part !== '#');
}

/** `Map<string, V>` is `Map`. */
function withoutTypes(name: string): string {
  const bare = name.replace(/(?<=[\p{L}\p{N}_$])<[^<>]*>/gu, '');
  return bare === name ? name : withoutTypes(bare);
}
