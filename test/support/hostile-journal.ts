import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MARKUP = [
  '<img src=x onerror=alert(1)>"\u202e',
  '"><svg onload=alert(1)>',
  '</pre><script>alert(1)</script>',
  '</style><script>alert(1)</script>',
  "javascript:alert(1)//'",
  '<iframe srcdoc="<script>alert(1)</script>">',
  '\u0000\u001b[31m\ud800&lt;script&gt;',
  '__proto__',
] as const;

/** The lines of a journal by someone who wishes the reader ill; the texts of its calls are put into `folder`. */
export function hostileJournal(folder: string): string {
  const put = (text: string): string => {
    const hash = createHash('sha256').update(text).digest('hex');
    mkdirSync(join(folder, 'blobs', hash.slice(0, 2)), { recursive: true });
    writeFileSync(join(folder, 'blobs', hash.slice(0, 2), hash.slice(2)), text);
    return hash;
  };
  const records = MARKUP.flatMap((text, index) =>
    [true, false].map((ok) => ({
      ...{ format: 1, emend: text, time: index % 2 ? text : '2026-12-02T04:00:00.000Z', root: text, session: text },
      ...{ called: text, tool: text, receipt: text, ok, code: text, args: put(text), result: put(text.repeat(200)) },
      ...{ bytes: { whole: 1e11, shown: 30_000 }, looked: [{ path: text, sha256: text }], ms: 1e12 },
      files: [{ path: text, op: 'edit', before: null, after: text, matched_via: text }],
      diagnostics: {
        ...{ state: text, ms: 1e9, introduced: 1e9, fixed: 5 },
        servers: [{ name: text, version: text, state: text, waited_ms: 1e9 }],
      },
      late: [{ receipt: text, introduced: 3, fixed: 1e9 }],
    })),
  );
  const lines = [
    ...records.map((record) => JSON.stringify(record)),
    '{"format":1, cut',
    '{"format":2}',
    '[]',
    `{"format":1,"x":"${'y'.repeat(1_100_000)}"}`,
    JSON.stringify({ ...records[0], args: '../../../etc/passwd', result: '/etc/passwd', ms: -1 }),
    JSON.stringify({ ...records[0], args: '../../../etc/passwd', result: '/etc/passwd', receipt: 'p'.repeat(50_000) }),
  ];
  return `${lines.join('\n')}\n`;
}
