import type { JSDoc } from "ts-morph";
import type { Diagnostics } from "../diagnostics.ts";
import { locate } from "./locate.ts";

/** Markers that correspond to tags of other tools. */
const MARKER_OF: ReadonlyMap<string, string> = new Map([
  ["default", "& Default<…> after the type"],
  ["defaultValue", "& Default<…> after the type"],
  ["minimum", "& Minimum<…> after the type"],
  ["maximum", "& Maximum<…> after the type"],
  ["minLength", "& MinLength<…> after the type"],
  ["maxLength", "& MaxLength<…> after the type"],
  ["pattern", '& Pattern<"…"> after the type'],
  ["format", '& Format<"…"> after the type'],
  ["minItems", "& MinItems<…> after the type"],
  ["maxItems", "& MaxItems<…> after the type"],
  ["uniqueItems", "ListSet<Type>"],
  ["multipleOf", "& Schema<{ multipleOf: … }> after the type"],
  ["nullable", "& Nullable after the type"],
  ["optional", "name?: Type"],
  ["immutable", "& Immutable after the type"],
  ["deprecated", '& Deprecated<"…"> after the type of a field, deprecated: "…" in kind() for a version'],
]);

/** Markers of Go's generators, which are lines of their own: `+kubebuilder:validation:Minimum=1`. */
const GO_MARKER =
  /^\+(kubebuilder:\S+|optional|required|nullable|default=\S+|list(?:Type|MapKey)=\S+|mapType=\S+|enum)$/;

/** Reports tags in comments that look like markers, because only types are read. `declared` is the source of the declaration after the comment. */
export function reportTags(docs: readonly JSDoc[], declared: string, path: string, diagnostics: Diagnostics): void {
  for (const doc of docs) {
    for (const tag of doc.getTags()) {
      const name = tag.getTagName();
      const expected = MARKER_OF.get(name);
      // `@deprecated` is allowed beside the marker: editors strike out what has it.
      if (expected === undefined || (name === "deprecated" && /\bDeprecated\b/.test(declared))) continue;
      diagnostics.report("comment-tag", locate(tag, path, `@${name}`), { tag: `@${name}`, expected });
    }
    for (const line of doc.getDescription().split("\n")) {
      const [marker, word = ""] = GO_MARKER.exec(line.trim()) ?? [];
      if (marker === undefined) continue;
      const expected = MARKER_OF.get(word) ?? "a marker after the type";
      diagnostics.report("comment-tag", locate(doc, path, marker), { tag: marker, expected });
    }
  }
}
