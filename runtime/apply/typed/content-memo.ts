import type { MergeType } from "../../contract/merge-schema.ts";
import type { FieldSetNode } from "../fieldpath/field-set.ts";

/** How many contents are remembered of one type before all are forgotten. */
const MAX_CONTENTS = 256;
/** Longer outlines are rarely met twice. */
const MAX_LENGTH = 8192;

/**
 * Remembers what values of a type hold, by their outline: a text in which all values of the same content are alike.
 * Objects of a kind resemble each other, and most of what is created was seen before.
 */
export class ContentMemo {
  readonly #ofType = new WeakMap<MergeType, Map<string, FieldSetNode>>();

  get(type: MergeType, outline: string, make: () => FieldSetNode): FieldSetNode {
    if (outline.length > MAX_LENGTH) return make();
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
