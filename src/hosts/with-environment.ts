import { delimiter, isAbsolute } from 'node:path';
import type { Run } from '../workspace/run.ts';

/** Runs commands in a given environment instead of this process's own: a resident serves callers from many shells. */
export function withEnvironment(run: Run, env: Readonly<Record<string, string>>): Run {
  const own: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(env)) if (process.env[name] !== value) own[name] = value;
  for (const name of Object.keys(process.env)) if (env[name] === undefined) own[name] = undefined;
  if (Object.keys(own).length === 0) return run;
  return (argv, options) => run(argv, { ...options, env: { ...own, ...options.env } });
}

/** Runs commands without the folders of PATH that are not absolute: from the project they lead into the project. */
export function withAbsolutePath(run: Run): Run {
  const folders = process.env.PATH?.split(delimiter) ?? [];
  if (folders.every(isAbsolute)) return run;
  const PATH = folders.filter(isAbsolute).join(delimiter);
  return (argv, options) => run(argv, { ...options, env: { PATH, ...options.env } });
}
