import { goQuote } from "../go/quote.ts";

/** Name of the default Go scheme in error messages. */
const SCHEME = "pkg/api/legacyscheme/scheme.go:30";

/** The error message of Kubernetes for a kind that does not exist. */
export function unknownKind(apiVersion: string, kind: string, scheme = SCHEME): string {
  return `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme "${scheme}"`;
}

/** The error message of Kubernetes for an object whose kind is not `wanted`. `goPackage` is the package of the wanted kind's internal types. */
export function unconvertibleKind(
  apiVersion: string,
  kind: string,
  wanted: { readonly goPackage: string; readonly kind: string },
): string {
  const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
  return `converting (${version}.${kind}) to (${wanted.goPackage}.${wanted.kind}): unknown conversion`;
}
