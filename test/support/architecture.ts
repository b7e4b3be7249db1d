/** The house's rules, as a function of its files, so that each rule is seen to fail when it is broken. */

const LAYERS = ['workspace', 'diagnostics', 'broker', 'tools', 'hosts'] as const;
const MAX_LINES = 250;

/**
 * The only files that may touch the disk, processes, sockets, time or randomness. `src/hosts` composes and may.
 * Everything else is given what it needs.
 */
const EDGES: readonly RegExp[] = [
  /^src\/hosts\//,
  /^src\/workspace\/(?:clock|disk-[a-z-]+|local-[a-z-]+)\.ts$/,
  /^src\/workspace\/[a-z-]+\/(?:disk|local)-[a-z-]+\.ts$/,
];

const IO = /from '(?:node:)?(?:fs|fs\/promises|child_process|net|http|os|worker_threads|execa|crypto)'|from 'execa'/;
const TIME = /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bMath\.random\(|\bprocess\.(?:env|cwd|stdin|stdout)\b/;
/** Hashing is a pure function of its bytes. */
const HASH = /import \{ createHash \} from 'node:crypto';/;

export function violations(files: readonly { readonly path: string; readonly text: string }[]): string[] {
  return files.flatMap(({ path, text }) => [
    ...upward(path, text),
    ...outsideTheEdge(path, text),
    ...(text.split('\n').length - 1 > MAX_LINES ? [`${path} has over ${MAX_LINES} lines`] : []),
    ...(/\/index\.ts$/.test(path) && path !== 'src/index.ts' ? [`${path} is a barrel`] : []),
  ]);
}

function upward(path: string, text: string): string[] {
  const own = LAYERS.findIndex((layer) => path.startsWith(`src/${layer}/`));
  if (own < 0) return [];
  return [...text.matchAll(/(?:from|import\()\s*'((?:\.\.?\/)[^']+)'/g)].flatMap((match) => {
    const target = new URL(match[1] ?? '', `file:///${path}`).pathname.slice(1);
    const layer = LAYERS.findIndex((name) => target.startsWith(`src/${name}/`));
    return layer > own || target === 'src/index.ts' ? [`${path} imports ${target}, which lies above it`] : [];
  });
}

function outsideTheEdge(path: string, text: string): string[] {
  if (EDGES.some((edge) => edge.test(path))) return [];
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').replace(HASH, '');
  return [IO, TIME].flatMap((rule) => {
    const match = rule.exec(code);
    return match ? [`${path} reaches outside the core: ${match[0]}`] : [];
  });
}
