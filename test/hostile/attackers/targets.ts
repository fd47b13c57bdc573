import { catalogue } from "../../kinds/conversions/converters.ts";
import type { User } from "../input.ts";
import type { Random } from "../random.ts";

/** A resource that the server serves, and its path. */
export interface Endpoint {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly subresources: readonly string[];
  readonly type: string;
  readonly verbs: readonly string[];
}

const RELEASED = /^v\d+$/;

/** Every resource in the versions that a server of this release serves by default, and some that are disabled. */
export const ENDPOINTS: readonly Endpoint[] = catalogue.resources
  .filter(({ version }) => RELEASED.test(version) || /beta/.test(version))
  .map(({ group, version, resource, kind, namespaced, subresources, type, verbs }) => ({
    group,
    version,
    resource,
    kind,
    namespaced,
    subresources: subresources.map(({ name }) => name),
    type,
    verbs,
  }));

export const SERVED = ENDPOINTS.filter(({ version }) => RELEASED.test(version));

export const apiVersionOf = ({ group, version }: Endpoint): string => (group === "" ? version : `${group}/${version}`);

/** Namespaces that attackers write to. Tenants have their own. */
export const NAMESPACES = ["hostile-1", "hostile-2"] as const;

export const OBJECT_NAMES = ["one", "two", "three", "four", "constructor", "tostring", "valueof", "x.y", "a-b"];

export const collectionPath = (endpoint: Endpoint, namespace: string): string => {
  const root = endpoint.group === "" ? `/api/${endpoint.version}` : `/apis/${endpoint.group}/${endpoint.version}`;
  return `${root}${endpoint.namespaced ? `/namespaces/${namespace}` : ""}/${endpoint.resource}`;
};

/** Returns a user, usually one with write permission, so that inputs are processed as far as possible. */
export function anyUser(random: Random): User {
  return random.chance(0.8) ? "admin" : random.pick<User>(["tenant-a", "node", "nobody", "anonymous"]);
}

/** Escapes characters that would end a request line. All others remain. */
export function asTarget(text: string): string {
  return text.replace(/[\p{Cc} ]/gu, (character) => encodeURIComponent(character));
}
