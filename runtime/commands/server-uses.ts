import { type ReadServer, ServerError } from "./kubeconfig-client.ts";

/** A trace of somebody using a version of the API: who owns fields of an object in it, or applied it in it. */
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
  readonly groups: readonly { readonly preferredVersion: { readonly groupVersion: string } }[];
}
interface ObjectList {
  readonly metadata?: { readonly continue?: string };
  readonly items?: readonly { readonly metadata: ObjectMeta }[];
}
interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly annotations?: { readonly [key: string]: string };
  readonly managedFields?: readonly { readonly manager?: string; readonly apiVersion?: string }[];
}

const PAGE = 500;
const METHOD_NOT_ALLOWED = 405;
const LAST_APPLIED = /\/last-applied-configuration$/;

/**
 * Everything a server can tell about which versions its clients speak: field owners and applied configurations. Resources that
 * cannot be listed are told to `onProblem` and left out, save those that refuse everybody.
 */
export async function* serverUses(read: ReadServer, onProblem: (problem: string) => void): AsyncGenerator<VersionUse> {
  const { groups } = (await read("/apis")) as GroupList;
  const roots = ["/api/v1", ...groups.map(({ preferredVersion }) => `/apis/${preferredVersion.groupVersion}`)];
  for (const root of roots) {
    const { resources } = (await read(root)) as ResourceList;
    for (const { name, kind, verbs } of resources) {
      if (name.includes("/") || !verbs.includes("list")) continue;
      try {
        yield* usesOf(read, `${root}/${name}`, kind);
      } catch (error) {
        if (!(error instanceof ServerError)) throw error;
        if (error.status !== METHOD_NOT_ALLOWED) onProblem(error.message);
      }
    }
  }
}

async function* usesOf(read: ReadServer, path: string, kind: string): AsyncGenerator<VersionUse> {
  let token = "";
  do {
    const query = `?limit=${PAGE}${token === "" ? "" : `&continue=${encodeURIComponent(token)}`}`;
    const list = (await read(`${path}${query}`)) as ObjectList;
    for (const { metadata } of list.items ?? []) yield* usesIn(metadata, kind);
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
