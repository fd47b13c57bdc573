import { placeOf } from "../model/build-groups.ts";
import { hubOf, versionsOf } from "../model/hub.ts";
import type { KindModel } from "../model/model.ts";
import { describeType, findType, jsonFields, structOf } from "../model/type-walk.ts";
import { compareReleases } from "../model/versions.ts";
import type { CheckContext } from "./check-context.ts";

/** Checks names, columns and lifecycles of kinds: names must be unique and usable in a URL, and the stages of a lifecycle in order. */
export function checkKinds(context: CheckContext): void {
  const { model, diagnostics } = context;
  for (const module of model.ownModules) {
    const seen = new Map<string, KindModel>();
    const named = new Set<string>();
    for (const kind of module.kinds) {
      checkLifecycle(context, kind);
      if (named.has(kind.kind)) diagnostics.report("duplicate-kind", kind.at, { plural: kind.kind, other: kind.file });
      named.add(kind.kind);
      if (module.group?.kubernetes === false && module.group.folder !== "meta") checkNames(context, kind);
      if (kind.unserved) continue;
      if (!module.group?.imported) checkStatus(context, kind);
      checkColumns(context, kind);
      const { plural } = kind;
      const place = placeOf(kind.declaration, "plural", kind.at);
      if (!NAME.test(plural)) diagnostics.report("plural-shape", place, { plural });
      const other = seen.get(plural);
      if (other !== undefined) diagnostics.report("duplicate-kind", place, { plural, other: other.file });
      seen.set(plural, kind);
    }
  }
}

const NAME = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

/** Applies the rules for names of a CustomResourceDefinition. Older kinds of Kubernetes are exempt. */
function checkNames(context: CheckContext, kind: KindModel): void {
  const { model, diagnostics } = context;
  const { declaration, at } = kind;
  if (kind.unserved) {
    const plural = `${kind.kind.toLowerCase()}s`;
    if (declaration.value.unserved !== true) diagnostics.report("plural-missing", at, { kind: kind.kind, plural });
    return;
  }
  if (!/^[A-Za-z][A-Za-z0-9]{0,62}$/.test(kind.kind)) {
    const parameters = { name: kind.kind, what: "a kind", expected: "up to 63 letters and digits" };
    diagnostics.report("name-shape", at, parameters);
  }
  const others = [
    ["singular", kind.singular, "a singular"],
    ...kind.shortNames.map((name, index) => [`shortNames.${index}`, name, "a short name"]),
    ...kind.categories.map((name, index) => [`categories.${index}`, name, "a category"]),
  ] as const;
  for (const [part, name, what] of others) {
    if (NAME.test(name!) && name!.length <= 63) continue;
    const parameters = { name: JSON.stringify(name), what: what!, expected: "lower-case letters, digits and dashes" };
    diagnostics.report("name-shape", placeOf(declaration, part!, at), parameters);
  }
  const list = kind.listType === undefined ? undefined : findType(model, kind.listType);
  const items = list?.form === "struct" ? list.fields.find(({ name }) => name === "items")?.type : undefined;
  if (list !== undefined && !(typeof items === "object" && "list" in items && items.list === kind.type))
    diagnostics.report("list-taken", list.at, { name: list.name, kind: kind.kind });
  checkOtherVersions(context, kind);
}

/** Checks that all versions of a kind have the same scope and plural, because their objects are stored once. */
function checkOtherVersions({ model, diagnostics }: CheckContext, kind: KindModel): void {
  const hub = hubOf(model, kind);
  const scope = (one: KindModel): string => (one.namespaced ? "Namespaced" : "ClusterScoped");
  for (const [mine, theirs] of [
    [scope(kind), scope(hub)],
    [kind.plural, hub.plural],
  ]) {
    if (mine === theirs || hub.unserved || hub.group !== kind.group) continue;
    const parameters = { kind: kind.kind, mine: mine!, version: kind.version, theirs: theirs!, other: hub.version };
    diagnostics.report("kind-names", kind.at, parameters);
  }
}

/** Hooks can let clients set the status of new objects. */
function checkStatus({ model, diagnostics }: CheckContext, kind: KindModel): void {
  if (!kind.subresources.some(({ name }) => name === "status")) return;
  const struct = structOf(model, kind.type);
  const status = struct && jsonFields(model, struct).find(({ name }) => name === "status");
  const place = placeOf(kind.declaration, "subresources.status", kind.at);
  if (status === undefined) diagnostics.report("status-missing", place, { kind: kind.kind });
  else if (!status.optional && status.markers.default === undefined && kind.hooks === undefined)
    diagnostics.report("status-required", status.at, { kind: kind.kind, type: describeType(status.type) });
}

/** Requires a path for each column of a kind without hooks, except Age, which the server fills in. Which cells hooks fill in is not known here. */
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
