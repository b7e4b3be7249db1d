import { isMostlyServed } from '../workspace/language-ids.ts';
import type { SurveyedServer } from '../workspace/language-server/survey-servers.ts';

type Found = Extract<SurveyedServer, { readonly status: 'found' }>;
type Missing = Extract<SurveyedServer, { readonly status: 'missing' }>;

/** What `emend doctor` prints, and whether something is missing that a person would want. */
interface DoctorPage {
  readonly lines: readonly string[];
  readonly isWanting: boolean;
}

/**
 * Servers of the languages that are here at length, others by name alone; what is missing by language, so that a
 * catalogue of many servers does not bury the two that matter.
 */
export function doctorPage(survey: {
  readonly servers: readonly SurveyedServer[];
  /** How many files of each language there are. */
  readonly here: ReadonlyMap<string, number>;
  readonly of: 'file' | 'root';
}): DoctorPage {
  const { servers, here } = survey;
  const found = servers.filter((one): one is Found => one.status === 'found');
  const missing = servers.filter((one): one is Missing => one.status === 'missing');
  const isHere = ({ languages }: SurveyedServer): boolean => languages.some((languageId) => here.has(languageId));
  const served = new Set(found.flatMap(({ languages, isChecker }) => (isChecker ? [] : languages)));
  const unserved = [...here.keys()].filter((languageId) => !served.has(languageId)).sort();
  const isWanted = (languageId: string): boolean => survey.of === 'file' || isMostlyServed(languageId);
  const wanted = unserved.filter(isWanted);
  const quiet = unserved.filter((languageId) => !isWanted(languageId) && languageId !== 'plaintext');
  const others = found.filter((one) => !isHere(one));
  return {
    lines: [
      ...found.filter(isHere).flatMap(linesOf),
      ...wanted.flatMap((languageId) => missingLines(languageId, here.get(languageId) ?? 0, missing)),
      ...(quiet.length === 0 ? [] : [`no server for ${counted(quiet, here)}: few people have one`]),
      ...(others.length === 0 ? [] : [`ready, with no file here: ${others.map(nameOf).join(', ')}`]),
    ],
    isWanting: wanted.length > 0,
  };
}

function linesOf(server: Found): readonly string[] {
  const project = server.project ? `, goes by ${server.project}` : '';
  const mark = server.version === null ? 'unsure ' : 'ok     ';
  const version = server.version ?? '(its version is not known before it starts)';
  const verified = server.verified === 'never' ? 'never tried with emend' : `tried with ${server.verified}`;
  return [
    `${mark} ${server.name} ${version} (${server.foundIn}${project}): ${server.languages.join(', ')}`,
    `        root ${server.root}, ${verified}`,
  ];
}

function missingLines(languageId: string, files: number, missing: readonly Missing[]): readonly string[] {
  const could = missing.filter(({ languages }) => languages.includes(languageId));
  const head = `missing ${languageId} (${files} file${files === 1 ? '' : 's'})`;
  if (could.length === 0) return [`${head}: no server of the catalogue speaks it`];
  return [head, ...could.flatMap(({ reason, name }) => [`        ${name}: ${reason}`])];
}

function counted(languageIds: readonly string[], here: ReadonlyMap<string, number>): string {
  return languageIds.map((languageId) => `${languageId} (${here.get(languageId)})`).join(', ');
}

function nameOf({ name, version, project }: Found): string {
  return `${name}${version === null ? '' : ` ${version}`}${project === undefined ? '' : ` by ${project}`}`;
}
