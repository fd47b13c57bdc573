import type { MergeType } from "../../contract/merge-schema.ts";
import type { FieldSetNode } from "../fieldpath/field-set.ts";

/** Cache entries of one type before its cache is cleared. */
const MAX_CONTENTS = 256;
/** Longer outlines are not worth caching: they rarely repeat. */
export const MAX_OUTLINE = 8192;

/**
 * Caches the paths of values of a type by outline, a string that is equal for values with the same paths. Objects of a
 * kind resemble each other, so most new objects hit the cache.
 */
export class ContentMemo {
  readonly #ofType = new WeakMap<MergeType, Map<string, FieldSetNode>>();

  get(type: MergeType, outline: string, make: () => FieldSetNode): FieldSetNode {
    let contents = this.#ofType.get(type);
    if (contents === undefined) this.#ofType.set(type, (contents = new Map()));
    let content = contents.get(outline);
    if (content === undefined) {
      content = make();
      if (contents.size >= MAX_CONTENTS) contents.clear();
      contents.set(outline, content);
    }
    return content;
  }
}
