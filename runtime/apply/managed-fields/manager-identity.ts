export type Operation = "Apply" | "Update";

/** Identity of the manager of a managedFields entry. */
export interface ManagerIdentity {
  readonly manager: string;
  readonly operation: Operation;
  /** Absent for appliers: an applier is the same manager in all versions. */
  readonly apiVersion?: string;
  /** Empty for the object itself. */
  readonly subresource: string;
}

/** Size of the caches of identities: sufficient for the managers that are active at a time. */
const REMEMBERED = 1000;
/** Names longer than this are not cached: in a request they may be as long as the request. */
const MAX_NAME_LENGTH = 1024;
const keys = new Map<string, string>();
const identities = new Map<string, ManagerIdentity>();

/** Returns the key of an identity. Equal identities have equal keys, and keys sort as Kubernetes sorts managers. */
export function identityKey(manager: string, operation: Operation, apiVersion: string, subresource: string): string {
  // Length prefixes separate the parts, so that no escaping is needed.
  const name = `${operation}${apiVersion.length}:${apiVersion}${subresource.length}:${subresource}${manager}`;
  return remembered(keys, name, () =>
    JSON.stringify({
      manager: manager || undefined,
      operation,
      apiVersion: operation === "Apply" ? undefined : apiVersion,
      subresource: subresource || undefined,
    }),
  );
}

export function identityOfKey(key: string): ManagerIdentity {
  return remembered(
    identities,
    key,
    () => ({ manager: "", subresource: "", ...(JSON.parse(key) as Partial<ManagerIdentity>) }) as ManagerIdentity,
  );
}

function remembered<T>(known: Map<string, T>, name: string, make: () => T): T {
  if (name.length > MAX_NAME_LENGTH) return make();
  let value = known.get(name);
  if (value === undefined) {
    value = make();
    if (known.size >= REMEMBERED) known.clear();
    known.set(name, value);
  }
  return value;
}
