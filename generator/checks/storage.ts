import { placeOf } from "../model/build-groups.ts";
import { versionsOf } from "../model/hub.ts";
import type { KindModel } from "../model/model.ts";
import type { CheckContext } from "./checks.ts";

/** Every kind is stored in one version, and in a group that knows it. */
export function checkStorage({ model, diagnostics }: CheckContext): void {
  const storedBy = new Map<string, KindModel>();
  for (const kind of [...model.modules.values()].flatMap((module) => module.kinds)) {
    if (kind.storedIn !== undefined && versionsOf(model, kind.storedIn, kind.kind).length === 0) {
      const place = placeOf(kind.declaration, "storedIn", kind.at);
      diagnostics.report("storage-missing", place, { kind: kind.kind, group: kind.storedIn || "core" });
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
