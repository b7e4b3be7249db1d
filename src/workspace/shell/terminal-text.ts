import { visibleControls } from '../visible-text.ts';

/** CSI, OSC and the other escape sequences of terminals. */
const SEQUENCE =
  /\x1b(?:\[([0-?]*)[ -/]*([@-~])|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[PX^_][^\x1b]*(?:\x1b\\)?|[ -/]*[0-OQ-WYZ`-~])/y;

/**
 * The lines that a terminal would show: a carriage return writes over its line, so of a progress bar the last state
 * stays; colours are gone; of a screen that was drawn again and again the last is left, and all that came before the
 * first. What is left of control characters is escaped.
 */
export function terminalLines(text: string): readonly string[] {
  if (!/[\r\b\x1b\x00-\x08\x0b-\x1f\x7f]/.test(text)) return text.split('\n');
  const screen = new Screen();
  for (let at = 0; at < text.length; ) {
    const character = text[at] ?? '';
    if (character === '\x1b') {
      SEQUENCE.lastIndex = at;
      const match = SEQUENCE.exec(text);
      if (match) {
        screen.control(match[2] ?? '', match[1] ?? '');
        at += match[0].length;
        continue;
      }
    }
    const end = plainEnd(text, at);
    if (end > at) screen.write(text.slice(at, end));
    else screen.special(character);
    at = Math.max(end, at + 1);
  }
  return screen.lines().map(visibleControls);
}

function plainEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x1b || code === 10 || code === 13 || code === 8) break;
    at++;
  }
  return at;
}

/** Lines as they are written, with a cursor in the last one. */
class Screen {
  readonly #lines: string[] = [];
  #line = '';
  #column = 0;
  #firstClear: number | undefined;

  write(text: string): void {
    const before = this.#line.slice(0, this.#column).padEnd(this.#column);
    this.#line = before + text + this.#line.slice(this.#column + text.length);
    this.#column += text.length;
  }

  special(character: string): void {
    if (character === '\n') {
      this.#lines.push(this.#line);
      this.#line = '';
      this.#column = 0;
    } else if (character === '\r') this.#column = 0;
    else if (character === '\b') this.#column = Math.max(0, this.#column - 1);
    else this.write(character);
  }

  control(command: string, parameters: string): void {
    if (command === 'K') {
      if (parameters === '' || parameters === '0') this.#line = this.#line.slice(0, this.#column);
      else if (parameters === '2') this.#line = '';
    } else if (command === 'J' && (parameters === '2' || parameters === '3')) this.#clear();
    else if (command === 'G') this.#column = Math.max(0, Number(parameters || '1') - 1);
  }

  lines(): readonly string[] {
    return [...this.#lines, this.#line];
  }

  #clear(): void {
    this.#firstClear ??= this.#lines.length + (this.#line === '' ? 0 : 1);
    if (this.#line !== '' && this.#lines.length < this.#firstClear) this.#lines.push(this.#line);
    this.#lines.length = Math.min(this.#lines.length, this.#firstClear);
    this.#line = '';
    this.#column = 0;
  }
}
