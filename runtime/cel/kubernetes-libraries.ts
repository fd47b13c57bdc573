import { LibrarySet } from "./checker/declarations.ts";
import { authorizerLibrary, authorizerSelectorsLibrary } from "./libraries/authorizer.ts";
import { cidrLibrary } from "./libraries/cidr.ts";
import { formatLibrary } from "./libraries/format.ts";
import { ipLibrary } from "./libraries/ip.ts";
import type { Library } from "./libraries/library.ts";
import { listsLibrary } from "./libraries/lists.ts";
import { optionalsLibrary } from "./libraries/optionals.ts";
import { quantityLibrary } from "./libraries/quantity.ts";
import { regexLibrary } from "./libraries/regex.ts";
import { semverLibrary } from "./libraries/semver.ts";
import { setsLibrary } from "./libraries/sets.ts";
import { standardLibrary } from "./libraries/standard/standard.ts";
import { stringsLibrary } from "./libraries/strings.ts";
import { twoVariableComprehensionsLibrary } from "./libraries/two-variable-comprehensions.ts";
import { urlLibrary } from "./libraries/url.ts";

/** The release whose features expressions may use. "latest" permits everything that this server supports. */
export type EnvironmentVersion = `1.${number}` | "latest";

interface Offer {
  readonly library: Library;
  /** The first minor release that offers the library. */
  readonly since: number;
  /** The first minor release that no longer offers it. */
  readonly until?: number;
  /** Set if it is offered only if the server authorizes with selectors. */
  readonly selectors?: true;
}

const CROSS_TYPE_COMPARISONS = 28;
const LITERAL_VALIDATION = 29;
const KEYWORD_FIELDS = 31;

const OFFERS: readonly Offer[] = [
  { library: standardLibrary({ crossTypeComparisons: false }), since: 0, until: CROSS_TYPE_COMPARISONS },
  { library: standardLibrary({ crossTypeComparisons: true }), since: CROSS_TYPE_COMPARISONS },
  { library: urlLibrary, since: 0 },
  { library: regexLibrary, since: 0 },
  { library: listsLibrary, since: 0 },
  { library: stringsLibrary(0), since: 0, until: 29 },
  { library: authorizerLibrary, since: 27 },
  { library: optionalsLibrary, since: 28 },
  { library: quantityLibrary, since: 28 },
  { library: stringsLibrary(2), since: 29 },
  { library: setsLibrary, since: 29 },
  { library: ipLibrary, since: 30 },
  { library: cidrLibrary, since: 30 },
  { library: formatLibrary, since: 31 },
  { library: authorizerSelectorsLibrary, since: 31, selectors: true },
  { library: twoVariableComprehensionsLibrary, since: 32 },
  { library: semverLibrary, since: 33 },
];

const minorOf = (version: EnvironmentVersion): number =>
  version === "latest" ? Number.POSITIVE_INFINITY : Number(version.slice(2));

const sets = new Map<string, LibrarySet>();

/** Returns the libraries that a release offers. Sets without additional libraries are shared. */
export function librariesOf(
  version: EnvironmentVersion,
  options: { readonly authorizeWithSelectors?: boolean; readonly additional?: readonly Library[] } = {},
): LibrarySet {
  const { authorizeWithSelectors = true, additional = [] } = options;
  const minor = minorOf(version);
  const key = `${minor} ${authorizeWithSelectors}`;
  const known = additional.length === 0 ? sets.get(key) : undefined;
  if (known !== undefined) return known;
  const offered = OFFERS.filter(
    ({ since, until, selectors = false }) =>
      since <= minor && (until === undefined || minor < until) && (authorizeWithSelectors || !selectors),
  );
  const libraries = new LibrarySet([...new Set([...offered.map(({ library }) => library), ...additional])]);
  if (additional.length === 0) sets.set(key, libraries);
  return libraries;
}

/** Whether a release rejects malformed durations, timestamps and patterns when it compiles an expression. */
export const validatesLiterals = (version: EnvironmentVersion): boolean => minorOf(version) >= LITERAL_VALIDATION;

/** Whether a release allows expressions to select a field whose name is a reserved word without escaping. */
export const allowsKeywordFields = (version: EnvironmentVersion): boolean => minorOf(version) >= KEYWORD_FIELDS;

/**
 * Returns the version for expressions that are written to a server of a release: one release earlier, so that all servers support them during an
 * upgrade or after a rollback. Stored expressions are compiled with "latest".
 */
export function newExpressionsVersion(release: `1.${number}`): EnvironmentVersion {
  return `1.${Number(release.slice(2)) - 1}`;
}
