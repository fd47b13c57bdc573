import type { Credentials } from "../../runtime/contract/authentication.ts";
import type { VirtualRequest } from "../../runtime/contract/virtual-kind.ts";

/** Credentials from a plain list of headers. */
export function credentials(
  headers: Record<string, string | string[]> = {},
  rest: Partial<Pick<Credentials, "clientCertificate" | "path" | "warn" | "annotate">> = {},
): Credentials {
  return {
    path: "/api",
    warn: () => {},
    annotate: () => {},
    ...rest,
    header: (name) => ([headers[name] ?? []] as (string | string[])[]).flat(),
    headerNames: () => Object.keys(headers),
  };
}

/** A request for a virtual kind; warnings are collected. */
export function virtualRequest(
  object: Partial<VirtualRequest["object"]>,
  rest: Partial<VirtualRequest> = {},
): VirtualRequest & { readonly warnings: string[] } {
  const warnings: string[] = [];
  return {
    user: { name: "bob", groups: ["system:authenticated"] },
    namespace: "",
    name: "",
    annotate: () => {},
    admit: async () => {},
    ...rest,
    object: { metadata: {}, ...object },
    warnings,
    warn: (message) => warnings.push(message),
  };
}
