import { placeOf } from "../model/build-groups.ts";
import { versionsOf } from "../model/hub.ts";
import type { KindModel } from "../model/model.ts";
import { typeAt } from "../model/type-walk.ts";
import { compareReleases } from "../model/versions.ts";
import type { CheckContext } from "./check-context.ts";

/** Kinds have a name of their own, one the URL can hold, and live their life in order. */
export function checkKinds(context: CheckContext): void {
  const { model, diagnostics } = context;
  for (const module of model.ownModules) {
    const seen = new Map<string, KindModel>();
    for (const kind of module.kinds) {
      checkLifecycle(context, kind);
      if (kind.unserved) continue;
      if (!module.group?.imported) checkStatus(context, kind);
      checkColumns(context, kind);
      const { plural } = kind;
      const place = placeOf(kind.declaration, "plural", kind.at);
      if (!/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(plural)) diagnostics.report("plural-shape", place, { plural });
      const other = seen.get(plural);
      if (other !== undefined) diagnostics.report("duplicate-kind", place, { plural, other: other.file });
      seen.set(plural, kind);
    }
  }
}

function checkStatus({ model, diagnostics }: CheckContext, kind: KindModel): void {
  if (!kind.subresources.some(({ name }) => name === "status") || typeAt(model, kind.type, "status") !== undefined)
    return;
  diagnostics.report("status-missing", placeOf(kind.declaration, "subresources.status", kind.at), { kind: kind.kind });
}

/** Without hooks a column needs a path, except Age, which the server fills. Which cells hooks fill is not known here. */
function checkColumns({ model, diagnostics }: CheckContext, kind: KindModel): void {
  if (versionsOf(model, kind.storedIn ?? kind.group, kind.kind).some(({ hooks }) => hooks !== undefined)) return;
  for (const [index, { name, path }] of kind.columns.entries()) {
    if (path !== undefined || name === "Age") continue;
    const place = placeOf(kind.declaration, `columns.${index}`, kind.at);
    diagnostics.report("column-empty", place, { column: name, kind: kind.kind });
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
