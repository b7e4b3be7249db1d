import type { FileDiagnostic } from '../diagnostics/report.ts';

/** So many unresolved packages are no slips of the pen: they are not installed. */
const MANY = 4;

/** How servers say that an import of a package, not of a file of the project, leads nowhere. */
const UNRESOLVED: readonly RegExp[] = [
  /^Cannot find module '(?![./])[^']+'/,
  /^Could not find a declaration file for module '(?![./])[^']+'/,
  /^Import "(?!\.)[^"]+" could not be resolved/,
  /^could not import \S+ \(/,
];

/** Diagnostics parted into those that one missing environment explains, none where they are few, and all others. */
export function partMissingPackages(diagnostics: readonly FileDiagnostic[]): {
  readonly missing: readonly FileDiagnostic[];
  readonly others: readonly FileDiagnostic[];
} {
  const missing = diagnostics.filter(({ message }) => UNRESOLVED.some((pattern) => pattern.test(message)));
  if (missing.length < MANY) return { missing: [], others: diagnostics };
  const explained = new Set(missing);
  return { missing, others: diagnostics.filter((one) => !explained.has(one)) };
}
