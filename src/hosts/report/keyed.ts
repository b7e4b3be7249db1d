/** What falls out of a `Keyed` that is full. */
const OTHERS = '(others)';

/** One value for each of a bounded number of keys; keys beyond share one. Journals may name anything. */
export class Keyed<Value> {
  readonly #values = new Map<string, Value>();
  readonly #make: () => Value;
  readonly #maxKeys: number;

  constructor(make: () => Value, maxKeys = 60) {
    this.#make = make;
    this.#maxKeys = maxKeys;
  }

  at(key: string): Value {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    if (this.#values.size >= this.#maxKeys && key !== OTHERS) return this.at(OTHERS);
    const made = this.#make();
    this.#values.set(key, made);
    return made;
  }

  entries(): readonly (readonly [string, Value])[] {
    return [...this.#values];
  }
}
