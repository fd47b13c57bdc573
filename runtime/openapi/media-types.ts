import type { Operation, Produces } from "./operations.ts";

/** Media types that operations produce, in the order of version 2. */
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
 * Media types that an operation accepts. Documents of Kubernetes declare any media type for its own kinds, and its clients rely on built-in
 * knowledge. For the project's kinds, a generated client sends the media types listed here.
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
