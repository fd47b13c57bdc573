import { compareShapes } from "../emitters/converters/compare-shapes.ts";
import { kindRead } from "../model/hook-reads.ts";
import { hubOf } from "../model/hub.ts";
import type { CheckContext } from "./check-context.ts";

/** `export const hooks = …`, or a list of exports with the name in it. */
const EXPORTS_HOOKS = /^export (const hooks\b|\{[^}]*\bhooks\b[^}]*\})/m;

/**
 * Checks that every hooks file is next to the definition of its kind; otherwise it would never be called. Hooks that validate and prepare
 * objects receive them in the stored version, so the stored version must have hooks if a version of another shape has.
 */
export function checkHooks({ model, tree, diagnostics }: CheckContext): void {
  const modules = model.ownModules;
  const used = new Set(modules.flatMap((module) => [...module.kinds, ...module.configKinds]).map(({ hooks }) => hooks));
  for (const [path, text] of tree.files) {
    if (!path.endsWith(".hooks.ts")) continue;
    const at = { file: path, line: 1, column: 1, text: path };
    if (!used.has(path)) diagnostics.report("hooks-orphan", at);
    else if (!EXPORTS_HOOKS.test(text)) diagnostics.report("hooks-empty", at);
  }
  for (const kind of modules.flatMap((module) => module.kinds)) {
    const { hooks, version } = kind;
    const hub = hubOf(model, kind);
    if (hooks === undefined || hub.hooks !== undefined || hub.type === kind.type) continue;
    if (compareShapes(model, kind.type, hub.type).length === 0) continue;
    const parameters = { kind: kind.kind, version, hub: hub.version, file: hub.file.replace(/\.ts$/, ".hooks.ts") };
    diagnostics.report("hooks-version", { file: hooks, line: 1, column: 1, text: hooks }, parameters);
  }
  for (const { hookReads } of modules.flatMap((module) => module.kinds))
    for (const read of hookReads)
      if (kindRead(model, read) === undefined) diagnostics.report("hooks-reads", read.at, { name: read.name });
}

/** Reports uses of `featureEnabled` in the code of defaults whose gate is unknown. Kinds share such code, so each location is reported once. */
export function checkGatesOfDefaults({ model, diagnostics }: CheckContext): void {
  const files = new Set(model.ownModules.flatMap((module) => module.kinds).flatMap(({ hooks }) => hooks ?? []));
  const places = [...files].flatMap((file) => model.defaultCode(file)?.unknownGates ?? []);
  for (const at of new Map(places.map((at) => [`${at.file}:${at.line}:${at.column}`, at])).values())
    diagnostics.report("default-gate", at, { text: at.text });
}
