import { count, size } from '../../workspace/truncation.ts';

/** `12,345`, `3.4`, `0.012`: whole from 100 on. */
export function number(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 100) {
    const whole = Math.round(value);
    return whole < 0 ? `−${count(-whole)}` : count(whole);
  }
  return String(Number(value.toPrecision(3))).replace('-', '−');
}

/** `0 ms`, `812 ms`, `1.2 s`, `3 min 20 s`, `2 h 5 min`. */
export function duration(ms: number): string {
  if (ms < 0) return `−${duration(-ms)}`;
  if (ms < 10) return `${Number(ms.toPrecision(2))} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 100) return `${(ms / 1000).toFixed(1)} s`;
  if (seconds < 6000) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const hours = Math.floor(seconds / 3600);
  return hours < 48 ? `${hours} h ${Math.floor((seconds % 3600) / 60)} min` : `${Math.round(hours / 24)} days`;
}

/** `12.5 %`; nothing of nothing is `–`. */
export function share(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (100 * part) / whole;
  return `${number(Number(percent.toFixed(Math.abs(percent) < 10 ? 1 : 0)))} %`;
}

export { size };
