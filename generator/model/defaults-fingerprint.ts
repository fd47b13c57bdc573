import { createHash } from "node:crypto";
import type { DefaultCode } from "../reader/read-default-code.ts";
import type { TypeExpr } from "./contract.ts";
import { versionsOf } from "./hub.ts";
import type { FieldModel, KindModel, Model } from "./model.ts";
import { findType, isRef } from "./type-walk.ts";

/** Length of the hash, sufficient to distinguish the states of one kind. */
const LENGTH = 8;
const KNOWN = new WeakMap<Model, Map<KindModel, DefaultsFingerprint | undefined>>();

export interface DefaultsFingerprint {
  readonly hash: string;
  /** The feature gates that the defaults depend on, sorted. */
  readonly gates: readonly string[];
}

/**
 * Returns a fingerprint of the declared and computed defaults of a kind's stored version. Stored objects record it, so that a server can
 * detect which of them may lack a default. Undefined for kinds without defaults.
 */
export function defaultsFingerprint(model: Model, hub: KindModel): DefaultsFingerprint | undefined {
  const known = KNOWN.get(model) ?? new Map<KindModel, DefaultsFingerprint | undefined>();
  KNOWN.set(model, known);
  if (!known.has(hub)) known.set(hub, hub.virtual ? undefined : fingerprintOf(model, hub));
  return known.get(hub);
}

function fingerprintOf(model: Model, hub: KindModel): DefaultsFingerprint | undefined {
  const type = findType(model, hub.type);
  const declared = type && model.memory.of("declared defaults", type, () => declaredDefaults(model, hub.type));
  const { lines, gates } = declared ?? { lines: [], gates: [] };
  const code = computedDefaults(model, hub);
  const all = [...lines, ...code.map(({ text }) => text)];
  if (all.length === 0) return undefined;
  return {
    hash: createHash("sha256").update(all.join("\0")).digest("base64url").slice(0, LENGTH),
    gates: [...new Set([...gates, ...code.flatMap((one) => one.gates)])].sort(),
  };
}

interface DeclaredDefaults {
  readonly lines: readonly string[];
  readonly gates: readonly string[];
}

/** Returns one line for each default of a field that objects of a type can contain. */
function declaredDefaults(model: Model, type: TypeExpr): DeclaredDefaults {
  const lines: string[] = [];
  const gates: string[] = [];
  const reached = new Set([type]);
  for (const each of reached) {
    if (typeof each === "object") {
      reached.add("list" in each ? each.list : each.map);
      continue;
    }
    const found = isRef(each) ? findType(model, each) : undefined;
    if (found?.form === "alias") reached.add(found.is);
    for (const field of found?.form === "struct" ? found.fields : []) {
      reached.add(field.type);
      const value = defaultOf(model, field);
      if (value === undefined) continue;
      const { gate } = field.markers;
      gates.push(...(gate?.split(",") ?? []));
      lines.push(
        JSON.stringify([each, field.name, field.optional, field.presence ?? "", value, ...(gate ? [gate] : [])]),
      );
    }
  }
  return { lines: lines.sort(), gates };
}

/** Returns the default of the field, or that of its named type. */
function defaultOf(model: Model, { type, markers }: FieldModel): unknown {
  if (markers.default !== undefined) return markers.default;
  let current = type;
  for (;;) {
    const found = isRef(current) ? findType(model, current) : undefined;
    if (found === undefined || found.markers.default !== undefined) return found?.markers.default;
    if (found.form !== "alias") return undefined;
    current = found.is;
  }
}

/** Returns the code of computed defaults. If the stored version has no hooks, those of other versions of the same shape apply. */
function computedDefaults(model: Model, hub: KindModel): DefaultCode[] {
  const files =
    hub.hooks === undefined ? versionsOf(model, hub.group, hub.kind).map(({ hooks }) => hooks) : [hub.hooks];
  return files.flatMap((file) => (file === undefined ? [] : (model.defaultCode(file) ?? [])));
}
