import type { Credentials } from "../../runtime/contract/authentication.ts";
import type { VirtualRequest } from "../../runtime/contract/virtual-kind.ts";

/** Returns credentials from a list of headers. */
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

/** Creates a request for a virtual kind. Collects warnings. */
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
