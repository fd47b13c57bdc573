import { type ResourceToken, tokenOf } from "../contract/resource-token.ts";
import { UnknownKindError } from "./discovery.ts";
import type { KindOf } from "./object-types.ts";

/** Returns the group, version and plural of a kind. Throws an `UnknownKindError` if its registration in `generated/resources/` was not imported. */
export function resourceOf<T extends object>(kind: KindOf<T>): ResourceToken<T> {
  if ("resource" in kind) return kind;
  const token = tokenOf<T>(kind);
  if (token !== undefined) return token;
  throw new UnknownKindError(
    `the group and version of ${kind.plural ?? "this kind"} are not known: ` +
      "import the file of its version in generated/resources once, in which the generator registers its kinds",
  );
}
