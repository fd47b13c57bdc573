import type { HookRead } from "../reader/read-hook-reads.ts";
import type { KindModel, Model } from "./model.ts";

/** Returns the kind that hooks read; undefined if the constant is not a kind that is served and stored. */
export function kindRead(model: Model, { name, file }: HookRead): KindModel | undefined {
  const kinds = [...model.modules.values()].flatMap((module) => module.kinds);
  return kinds.find(
    (kind) =>
      (kind.file === file || `api-definitions/${kind.module}` === file) &&
      kind.constant === name &&
      !kind.unserved &&
      !kind.virtual,
  );
}
