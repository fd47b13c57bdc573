import { definitionMembers, documentWithoutSections, pathMembers } from "./document-v2.ts";
import type { JsonMap } from "./message.ts";

/** An encoded document of version 2 in sections: fields before `paths`, contents of `paths`, contents of `definitions`, and later fields. */
export interface SectionsV2 {
  readonly before: Uint8Array;
  readonly paths: Uint8Array;
  readonly definitions: Uint8Array;
  readonly after: Uint8Array;
}

/** Encodes a document, or some members of its `paths` and `definitions`. */
export function encodeSections(document: JsonMap): SectionsV2 {
  const { before, after } = documentWithoutSections;
  return {
    before: before(document),
    paths: pathMembers((document.paths ?? {}) as JsonMap),
    definitions: definitionMembers((document.definitions ?? {}) as JsonMap),
    after: after(document),
  };
}
