import { type ReadServer, ServerError } from "./kubeconfig-client.ts";

/** A use of an API version by a client: a field manager or a last-applied configuration in that version. */
export interface VersionUse {
  readonly where: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

interface ResourceList {
  readonly resources: readonly { readonly name: string; readonly kind: string; readonly verbs: readonly string[] }[];
}
interface GroupList {
  readonly groups: readonly {
    readonly versions: readonly { readonly groupVersion: string }[];
    readonly preferredVersion: { readonly groupVersion: string };
  }[];
}
interface ObjectList {
  readonly metadata?: { readonly continue?: string };
  readonly items?: readonly { readonly metadata: ObjectMeta }[];
}
interface ObjectMeta {
  readonly name: string;
  readonly uid?: string;
  readonly namespace?: string;
  readonly annotations?: { readonly [key: string]: string };
  readonly managedFields?: readonly { readonly manager?: string; readonly apiVersion?: string }[];
}

const PAGE = 500;
const METHOD_NOT_ALLOWED = 405;
const LAST_APPLIED = /\/last-applied-configuration$/;
/** Field managers of API servers, which use other versions after an upgrade. */
const SERVERS = /^(?:kube-apiserver|api-priority-and-fairness-config-(?:consumer|producer)-v\d+)$/;

/**
 * Yields the API versions that clients of a server use, from field managers and last-applied configurations. Each resource is listed once, in the
 * preferred version of its group that contains it. Objects that several groups serve are reported once. Versions and resources that cannot be read
 * are reported to `onProblem` and skipped, except those that respond with 405, which are skipped silently.
 */
export async function* serverUses(read: ReadServer, onProblem: (problem: string) => void): AsyncGenerator<VersionUse> {
  const { groups } = (await read("/apis")) as GroupList;
  const told = new Set<string>();
  for (const versions of [["/api/v1"], ...groups.map(pathsOf)]) {
    const listed = new Set<string>();
    for (const version of versions) {
      const resources = await tryTo(async () => ((await read(version)) as ResourceList).resources, onProblem);
      for (const { name, kind, verbs } of resources ?? []) {
        if (name.includes("/") || !verbs.includes("list") || listed.has(name)) continue;
        listed.add(name);
        try {
          yield* usesOf(read, `${version}/${name}`, kind, told);
        } catch (error) {
          if (!(error instanceof ServerError)) throw error;
          if (error.status !== METHOD_NOT_ALLOWED) onProblem(error.message);
        }
      }
    }
  }
}

/** Reads from the server. If it returns an error, reports it and returns undefined. */
async function tryTo<T>(read: () => Promise<T>, onProblem: (problem: string) => void): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    onProblem(error.message);
    return undefined;
  }
}

/** Returns the paths of a group's versions, the preferred one first. */
function pathsOf({ versions, preferredVersion }: GroupList["groups"][number]): string[] {
  const all = [preferredVersion, ...versions].map(({ groupVersion }) => `/apis/${groupVersion}`);
  return [...new Set(all)];
}

async function* usesOf(read: ReadServer, path: string, kind: string, told: Set<string>): AsyncGenerator<VersionUse> {
  let token = "";
  do {
    const query = `?limit=${PAGE}${token === "" ? "" : `&continue=${encodeURIComponent(token)}`}`;
    const list = (await read(`${path}${query}`)) as ObjectList;
    for (const { metadata } of list.items ?? []) {
      const { uid = "" } = metadata;
      if (told.has(uid)) continue;
      const uses = [...usesIn(metadata, kind)];
      if (uses.length > 0 && uid !== "") told.add(uid);
      yield* uses;
    }
    token = list.metadata?.continue ?? "";
  } while (token !== "");
}

function* usesIn(
  { name, namespace, annotations = {}, managedFields = [] }: ObjectMeta,
  kind: string,
): Iterable<VersionUse> {
  const object = namespace === undefined ? name : `${namespace}/${name}`;
  const seen = new Set<string>();
  for (const { manager = "", apiVersion = "" } of managedFields) {
    if (SERVERS.test(manager)) continue;
    const where = `${object} (owned by ${manager})`;
    if (!seen.has(`${where} ${apiVersion}`)) yield { where, apiVersion, kind, name };
    seen.add(`${where} ${apiVersion}`);
  }
  for (const [key, text] of Object.entries(annotations)) {
    if (!LAST_APPLIED.test(key)) continue;
    const applied = parse(text);
    if (applied?.apiVersion !== undefined)
      yield { where: `${object} (last applied)`, apiVersion: applied.apiVersion, kind: applied.kind ?? kind, name };
  }
}

function parse(text: string): { apiVersion?: string; kind?: string } | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
