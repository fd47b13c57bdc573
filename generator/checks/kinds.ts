import { placeOf } from "../model/build-groups.ts";
import type { KindModel } from "../model/model.ts";
import { compareReleases } from "../model/versions.ts";
import type { CheckContext } from "./checks.ts";

/** Kinds have a name of their own, one the URL can hold, and live their life in order. */
export function checkKinds(context: CheckContext): void {
  const { model, diagnostics } = context;
  for (const module of model.modules.values()) {
    const seen = new Map<string, KindModel>();
    for (const kind of module.kinds) {
      checkLifecycle(context, kind);
      if (kind.unserved) continue;
      const { plural } = kind;
      const place = placeOf(kind.declaration, "plural", kind.at);
      if (!/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(plural)) diagnostics.report("plural-shape", place, { plural });
      const other = seen.get(plural);
      if (other !== undefined) diagnostics.report("duplicate-kind", place, { plural, other: other.file });
      seen.set(plural, kind);
    }
  }
}

const STAGES = ["introduced", "deprecated", "removed"] as const;

function checkLifecycle({ diagnostics }: CheckContext, { lifecycle, declaration, at }: KindModel): void {
  const known = STAGES.filter((stage) => lifecycle[stage] !== undefined);
  for (const [index, later] of known.entries()) {
    const earlier = known[index - 1];
    if (earlier === undefined) continue;
    const [first, second] = [lifecycle[earlier]!, lifecycle[later]!];
    if (compareReleases(first, second) > 0) {
      const parameters = { earlier: `${earlier} ${first}`, later: `${later} ${second}` };
      diagnostics.report("lifecycle-order", placeOf(declaration, later, at), parameters);
    }
  }
}
