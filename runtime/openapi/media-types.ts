import type { Operation, Produces } from "./operations.ts";

/** What operations produce, in the order version 2 lists them. */
export function producedTypes(produces: Produces, vendor: string): string[] {
  const protobuf = `application/vnd.${vendor}.protobuf`;
  const objects = ["application/json", "application/yaml", protobuf];
  switch (produces) {
    case "objects":
      return objects;
    case "stream":
      return [...objects, "application/json;stream=watch", `${protobuf};stream=watch`];
    case "log":
      return ["text/plain", ...objects];
    case "anything":
      return ["*/*"];
  }
}

/**
 * What an operation accepts. Documents of Kubernetes say that its own kinds take anything, and clients know better; a generated client
 * sends what it reads here.
 */
export function consumedTypes({ body, isOwn }: Operation, vendor: string): readonly string[] {
  if (body?.patch) return PATCH_TYPES;
  return isOwn ? producedTypes("objects", vendor) : ["*/*"];
}

const PATCH_TYPES = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
];

export const STATUS_WORDS: { readonly [status: string]: string } = {
  200: "OK",
  201: "Created",
  202: "Accepted",
  401: "Unauthorized",
};
