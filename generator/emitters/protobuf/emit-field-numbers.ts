import type { Artifact } from "../../artifact.ts";
import type { Model } from "../../model/model.ts";
import { writeFieldNumbers } from "../../model/read-field-numbers.ts";
import type { SourceTree } from "../../source-tree.ts";

/** Returns the `field-numbers.json` files in which numbers were added or reserved. */
export function emitFieldNumbers(model: Model, tree: SourceTree): Artifact[] {
  return model.ownModules.flatMap((module) => {
    const path = `api-definitions/${module.name}/field-numbers.json`;
    const text = model.memory.of("field numbers", module.numbers, () => writeFieldNumbers(module.numbers));
    const before = tree.files.get(path) ?? "{}";
    return before === text || writeFieldNumbers(JSON.parse(before)) === text ? [] : [{ path, text }];
  });
}
