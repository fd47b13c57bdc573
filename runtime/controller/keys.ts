import type { ObjectKey } from "../client/request-observer.ts";

/** `default/dune`; `/shelf` for an object without a namespace. Names have no slash. */
export function formatKey({ namespace, name }: ObjectKey): string {
  return `${namespace ?? ""}/${name}`;
}

export function parseKey(key: string): ObjectKey {
  const at = key.indexOf("/");
  const [namespace, name] = [key.slice(0, at), key.slice(at + 1)];
  return namespace === "" ? { name } : { namespace, name };
}
