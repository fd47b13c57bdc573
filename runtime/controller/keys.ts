import type { ObjectKey } from "../client/request-observer.ts";

/** Formats a key: `default/dune`, or `/shelf` for a cluster-scoped object. Unambiguous, because names contain no slash. */
export function formatKey({ namespace, name }: ObjectKey): string {
  return `${namespace ?? ""}/${name}`;
}

export function parseKey(key: string): ObjectKey {
  const at = key.indexOf("/");
  const [namespace, name] = [key.slice(0, at), key.slice(at + 1)];
  return namespace === "" ? { name } : { namespace, name };
}
