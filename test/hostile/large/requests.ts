import type { RequestInput } from "../input.ts";

/** A request with a valid object near the size limit of a body, or for an object near the size limit of the store. */
export interface LargeInput {
  readonly what: string;
  /** Creates the request. `attempt` differs each time it is sent; `answers` are the bodies of the responses to the preparing requests. */
  readonly make: (attempt: number, answers: readonly string[]) => RequestInput;
  /** Preparing requests that are not measured: the first one is sent alone, the others concurrently. They may depend on the response to the first. */
  readonly before?: (attempt: number, answers: readonly string[]) => Iterable<RequestInput>;
  /** Sent at the same time, each on its own connection. */
  readonly beside?: (attempt: number) => readonly RequestInput[];
  /** Watches that are open during the request. */
  readonly watches?: readonly RequestInput[];
  /** A request that is repeated until its response has this status. The server's work until then is measured, too. */
  readonly until?: (attempt: number) => { readonly request: RequestInput; readonly status: number };
  /** Sent only once, however long it takes, because it cannot be repeated. */
  readonly isOnce?: true;
  /** Expected status if it is not a success: objects that are too large for etcd are processed before they are rejected. */
  readonly status?: number;
}

export const GROUP = "large.example.com";
export const LARGE_NAMESPACE = "large-inputs";
export const RBAC = "rbac.authorization.k8s.io";
export const MERGE = "application/merge-patch+json";
export const STRATEGIC = "application/strategic-merge-patch+json";
export const JSON_PATCH = "application/json-patch+json";
export const APPLY = "application/apply-patch+yaml";

export type Body = Readonly<Record<string, unknown>>;

export const collection = (resource: string, group = "api/v1") => `/${group}/namespaces/${LARGE_NAMESPACE}/${resource}`;
export const CONFIG_MAPS = collection("configmaps");
export const WIDES = collection("wides", `apis/${GROUP}/v1`);
export const THINGS = collection("things", `apis/${GROUP}/v1`);

export function send(
  method: string,
  target: string,
  body?: Body | readonly unknown[],
  type = "application/json",
): RequestInput {
  const bytes = body && Buffer.from(JSON.stringify(body));
  return { as: "admin", method, target, ...(bytes && { headers: [["Content-Type", type]], body: bytes }) };
}

export const read = (target: string, accept: string): RequestInput => ({
  as: "admin",
  method: "GET",
  target,
  headers: [["Accept", accept]],
});

export function list<T>(length: number, make: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => make(index));
}

export function map<T>(length: number, make: (index: number) => T, prefix = "k"): Record<string, T> {
  return Object.fromEntries(list(length, (index) => [`${prefix}${index}`, make(index)]));
}

/** Number of keys that fit into a body, into the store, and into the store together with managedFields. */
export const MOST_KEYS = 200_000;
export const STORED_KEYS = 115_000;
export const OWNED_KEYS = 45_000;
export const TOO_LARGE = 500;

export const configMap = (name: string, keys: number): Body => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  data: map(keys, () => ""),
});
export const thing = (name: string, spec: Body): Body => ({
  apiVersion: `${GROUP}/v1`,
  kind: "Thing",
  metadata: { name },
  spec,
});
export const create = (what: string, path: string, make: (name: string) => Body): LargeInput => ({
  what: `create ${what}`,
  make: (attempt) => send("POST", path, make(`n${attempt}`)),
});
