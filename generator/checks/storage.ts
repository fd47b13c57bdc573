import { placeOf } from "../model/build-groups.ts";
import { hubOf, storedUnder, versionsOf } from "../model/hub.ts";
import type { KindModel } from "../model/model.ts";
import type { CheckContext } from "./check-context.ts";

/** Checks that every kind is stored in one version, in a group that defines it, and under keys that no other kind uses. */
export function checkStorage({ model, diagnostics }: CheckContext): void {
  const storedBy = new Map<string, KindModel>();
  const keyedBy = new Map<string, KindModel>();
  for (const kind of [...model.modules.values()].flatMap((module) => module.kinds)) {
    if (kind.storedIn !== undefined && versionsOf(model, kind.storedIn, kind.kind).length === 0) {
      const place = placeOf(kind.declaration, "storedIn", kind.at);
      diagnostics.report("storage-missing", place, { kind: kind.kind, group: kind.storedIn || "core" });
    }
    if (!kind.unserved && !kind.virtual) {
      const hub = hubOf(model, kind);
      const prefix = storedUnder(model, hub);
      const other = keyedBy.get(prefix) ?? hub;
      keyedBy.set(prefix, other);
      if (other.type !== hub.type) {
        const first = `${other.kind} of ${other.group || "core"}`;
        diagnostics.report("storage-prefix", placeOf(kind.declaration, "storedAs", kind.at), {
          kind: kind.kind,
          prefix,
          first,
        });
      }
    }
    if (!kind.storage) continue;
    const key = `${kind.group}/${kind.kind}`;
    const first = storedBy.get(key);
    if (first === undefined) storedBy.set(key, kind);
    else {
      const place = placeOf(kind.declaration, "storage", kind.at);
      const parameters = { kind: kind.kind, group: kind.group, first: first.version, second: kind.version };
      diagnostics.report("storage-twice", place, parameters);
    }
  }
}
