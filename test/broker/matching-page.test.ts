import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MATCHED_VIA } from '../../src/broker/matched-via.ts';
import { replace } from '../../src/broker/replace.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/matching.md'), 'utf8');

interface Example {
  readonly outcome: string;
  readonly parts: ReadonlyMap<string, string>;
}

function examples(): readonly Example[] {
  return [...PAGE.matchAll(/```edit (.*)\n([\s\S]*?)```/g)].map(([, outcome = '', body = '']) => {
    const parts = new Map<string, string>();
    let name = '';
    for (const line of body.replace(/→/g, '\t').replace(/·/g, ' ').split('\n').slice(0, -1)) {
      const path = /^path: (.*)$/.exec(line);
      const head = /^(file|old_string|new_string|after):$/.exec(line);
      if (path) parts.set('path', path[1] ?? '');
      else if (head) name = head[1] ?? '';
      else parts.set(name, parts.has(name) ? `${parts.get(name)}\n${line}` : line);
    }
    return { outcome, parts };
  });
}

describe('docs/matching.md', () => {
  test.each(examples().map((each, at) => [`${at + 1}: ${each.outcome}`, each] as const))(
    'example %s',
    (_name, { outcome, parts }) => {
      const [file = '', old = '', now = ''] = ['file', 'old_string', 'new_string'].map((name) => parts.get(name));
      const path = parts.get('path');
      const result = replace(file, old, now, path === undefined ? {} : { path });
      const [verdict, code] = outcome.split(' ');
      if (verdict === 'refused') expect(result).toMatchObject({ status: 'refused', code });
      else expect(result).toMatchObject({ status: 'applied', text: parts.get('after'), matchedVia: verdict });
    },
  );

  test('its program prints what the page says', () => {
    const outcome = replace('if (a)  return;\r\n', 'if (a) return;\n', 'if (a) stop();\n', { path: 'src/auth.ts' });
    expect(PAGE).toContain(`replace('if (a)  return;\\r\\n', 'if (a) return;\\n', 'if (a) stop();\\n', `);
    const said = outcome.status === 'applied' && `// ${JSON.stringify(outcome.text)} ${outcome.matchedVia}\n`;
    expect(PAGE).toContain(said);
  });

  test('names every strategy', () => {
    for (const via of MATCHED_VIA) expect(PAGE).toContain(`\`${via}\``);
  });
});
