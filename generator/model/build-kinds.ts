import { closest } from "../../runtime/lib/did-you-mean.ts";
import type { Diagnostics } from "../diagnostics.ts";
import { readHookReads } from "../reader/read-hook-reads.ts";
import type { CallDeclaration, DefinitionFile, Literal, LiteralSyntax, TypeDeclaration } from "../reader/syntax.ts";
import { fillIn, type Platform, placeOf, strings, text } from "./build-groups.ts";
import type { GroupVersionKind, Lifecycle, TypeRef } from "./contract.ts";
import { type KindIndex, parseKindReference } from "./kind-index.ts";
import type { ColumnModel, ConfigKindModel, GroupModel, KindModel, SubresourceModel } from "./model.ts";
import { kebabCase, moduleOf, type Names } from "./names.ts";

const ALL_VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];
const SUBRESOURCE_VERBS = ["get", "patch", "update"];
const SCALE = "autoscaling/v1 Scale";

export interface KindContext {
  readonly names: Names;
  readonly platform: Platform;
  readonly diagnostics: Diagnostics;
  readonly index: KindIndex;
  /** Content of hooks files, by path. */
  readonly hooks: ReadonlyMap<string, string>;
}

/** Returns the kinds that a file declares. Requires the group of the module, which serves them. */
export function buildKinds(
  file: DefinitionFile,
  group: GroupModel,
  version: string,
  context: KindContext,
): KindModel[] {
  return file.calls.flatMap((call) => {
    if (call.word !== "kind") return [];
    const found = kindType(call, file, context);
    return found === undefined ? [] : [buildKind(call, found, file, group, version, context)];
  });
}

export function buildConfigKinds(
  file: DefinitionFile,
  group: GroupModel,
  version: string,
  context: KindContext,
): ConfigKindModel[] {
  return file.calls.flatMap((call) => {
    if (call.word !== "configKind") return [];
    const found = kindType(call, file, context);
    if (found === undefined) return [];
    const { value } = call.argument;
    const name = fillIn(text(value.group, group.name), context.platform);
    const hooks = hooksBeside(file, found.name, context);
    return [
      {
        kind: found.name,
        group: name,
        version,
        module: moduleOf(file.path),
        type: `${moduleOf(file.path)}.${found.name}` as const,
        aliases: strings(value.aliases).flatMap((alias) => {
          const parsed = parseKindReference(fillIn(alias, context.platform), { group: name, version });
          return parsed === undefined ? [] : [parsed];
        }),
        lifecycle: lifecycleOf(call.argument, call.at, group, context),
        file: file.path,
        ...(hooks && { hooks }),
        at: call.at,
      },
    ];
  });
}

function kindType(call: CallDeclaration, file: DefinitionFile, context: KindContext): TypeDeclaration | undefined {
  const [type] = call.types;
  const name = type?.form === "word" ? type.name : "";
  const found = context.names.declaration(file.path, name);
  if (found !== undefined && found.declaration.parameters.length > 0) {
    const what = `the generic type ${name}<${found.declaration.parameters.join(", ")}> as a kind`;
    context.diagnostics.report("unsupported-syntax", type?.at ?? call.at, {
      what,
      expected: "an interface that extends it",
    });
    return undefined;
  }
  if (found !== undefined && moduleOf(found.file) === moduleOf(file.path)) return found.declaration;
  const suggestion = closest(name, context.names.visible(file.path));
  context.diagnostics.report("unknown-kind-type", type?.at ?? call.at, { name }, suggestion);
  return undefined;
}

function buildKind(
  call: CallDeclaration,
  declared: TypeDeclaration,
  file: DefinitionFile,
  group: GroupModel,
  version: string,
  context: KindContext,
): KindModel {
  const { value } = call.argument;
  const kind = declared.name;
  const unserved = value.unserved === true || value.plural === undefined;
  const virtual = value.virtual === true;
  const scope = scopeOf(declared, file.path, context.names);
  if (scope === undefined && !unserved) context.diagnostics.report("kind-scope", declared.at, { kind });
  const type: TypeRef = `${moduleOf(file.path)}.${kind}`;
  const verbs = value.verbs === undefined ? (virtual ? ["create"] : ALL_VERBS) : strings(value.verbs);
  const hooks = hooksBeside(file, kind, context);
  return {
    kind,
    module: moduleOf(file.path),
    group: group.name,
    version,
    plural: text(value.plural, kind.toLowerCase()),
    singular: text(value.singular, kind.toLowerCase()),
    shortNames: strings(value.shortNames),
    categories: strings(value.categories),
    namespaced: scope === "Namespaced",
    virtual,
    unserved,
    verbs: [...verbs].sort(),
    type,
    ...(!unserved && verbs.includes("list") && { listType: `${type}List` as const }),
    subresources: subresourcesOf(value.subresources, { group: group.name, version, kind }, call, context),
    columns: columnsOf(value.columns),
    selectableFields: strings(value.selectableFields),
    lifecycle: lifecycleOf(call.argument, call.at, group, context),
    ...(typeof value.deprecationWarning === "string" && { deprecationWarning: value.deprecationWarning }),
    storage: value.storage === true,
    ...(value.storedIn !== undefined && { storedIn: fillIn(text(value.storedIn, ""), context.platform) }),
    ...(typeof value.storedAs === "string" && { storedAs: fillIn(value.storedAs, context.platform) }),
    offByDefault: value.offByDefault === true,
    ...(typeof value.gate === "string" && { gate: value.gate }),
    createOnUpdate: value.createOnUpdate === true,
    returnsDeleted: value.returnsDeleted === true,
    ...(typeof value.generation === "boolean" && { generation: value.generation }),
    conditionalUpdate: value.conditionalUpdate === true,
    description: declared.description,
    constant: call.name,
    ...(hooks && { hooks }),
    hookReads: hooks === undefined ? [] : readHookReads(hooks, context.hooks.get(hooks) ?? ""),
    file: file.path,
    at: call.at,
    declaration: call.argument,
  };
}

/** Returns the hooks file of a kind: `stateful-set.hooks.ts` next to `stateful-set.ts` belongs to StatefulSet, or to the only kind of that file. */
function hooksBeside(file: DefinitionFile, kind: string, { hooks }: KindContext): string | undefined {
  const path = file.path.replace(/\.ts$/, ".hooks.ts");
  if (!hooks.has(path)) return undefined;
  const kinds = file.calls.filter(({ word }) => word === "kind" || word === "configKind");
  const isNamesake = file.path.endsWith(`/${kebabCase(kind)}.ts`);
  return isNamesake || kinds.length === 1 ? path : undefined;
}

/** Returns the scope: Namespaced or ClusterScoped, whichever the interface extends, directly or indirectly. */
export function scopeOf(
  declared: TypeDeclaration,
  file: string,
  names: Names,
  heirs: readonly TypeDeclaration[] = [],
): "Namespaced" | "ClusterScoped" | undefined {
  for (const base of declared.extends) {
    if (base.form !== "word") continue;
    const found = names.declaration(file, base.name);
    if (found === undefined || found.declaration === declared || heirs.includes(found.declaration)) continue;
    const { name } = found.declaration;
    if (name === "Namespaced" || name === "ClusterScoped") return name;
    const inherited = scopeOf(found.declaration, found.file, names, [...heirs, declared]);
    if (inherited !== undefined) return inherited;
  }
  return undefined;
}

function subresourcesOf(
  declared: Literal | undefined,
  parent: GroupVersionKind,
  call: CallDeclaration,
  context: KindContext,
): SubresourceModel[] {
  if (!isObject(declared)) return [];
  const found: SubresourceModel[] = [];
  for (const [name, value] of Object.entries(declared)) {
    const place = placeOf(call.argument, `subresources.${name}`, call.at);
    const resolve = (reference: string): { kind: GroupVersionKind; type: TypeRef } | undefined => {
      const resolved = context.index.find(fillIn(reference, context.platform), parent);
      if (resolved !== undefined) return resolved;
      const suggestion = closest(reference, context.index.references());
      context.diagnostics.report("subresource-kind", place, { name, kind: reference }, suggestion);
      return undefined;
    };
    const subresource = subresourceOf(name, value, parent, resolve);
    if (subresource !== undefined) found.push(subresource);
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function subresourceOf(
  name: string,
  declared: Literal,
  parent: GroupVersionKind,
  resolve: (reference: string) => { kind: GroupVersionKind; type: TypeRef } | undefined,
): SubresourceModel | undefined {
  const value = isObject(declared) ? declared : {};
  const isScale = "specReplicasPath" in value;
  const carried = resolve(text(value.kind, isScale ? SCALE : parent.kind));
  if (carried === undefined) return undefined;
  const base = {
    name,
    ...carried.kind,
    type: carried.type,
    verbs: value.verbs === undefined ? SUBRESOURCE_VERBS : [...strings(value.verbs)].sort(),
    ...(typeof value.gate === "string" && { gate: value.gate }),
  };
  if (isScale) {
    const labelSelector = value.labelSelectorPath;
    return {
      ...base,
      scale: {
        specReplicas: text(value.specReplicasPath, ""),
        statusReplicas: text(value.statusReplicasPath, ""),
        ...(typeof labelSelector === "string" && { labelSelector }),
      },
    };
  }
  if (isObject(value.connect)) {
    const options = resolve(text(value.connect.options, ""));
    if (options === undefined) return undefined;
    const { methods, path } = value.connect;
    return { ...base, connect: { methods: strings(methods), optionsType: options.type, path: path === true } };
  }
  const options = typeof value.options === "string" ? resolve(value.options) : undefined;
  return { ...base, ...(options && { optionsType: options.type }) };
}

function columnsOf(declared: Literal | undefined): ColumnModel[] {
  if (!Array.isArray(declared)) return [];
  return declared.filter(isObject).map((column) => ({
    name: text(column.name, ""),
    type: text(column.type, "string"),
    format: text(column.format, ""),
    description: text(column.description, ""),
    priority: typeof column.priority === "number" ? column.priority : 0,
    ...(typeof column.path === "string" && { path: column.path }),
  }));
}

function lifecycleOf(
  declaration: LiteralSyntax,
  at: CallDeclaration["at"],
  group: GroupModel,
  context: KindContext,
): Lifecycle {
  const { introduced, deprecated, removed, replacement } = declaration.value;
  const reference = typeof replacement === "string" ? fillIn(replacement, context.platform) : undefined;
  const replacedBy = reference?.includes(" ") ? parseKindReference(reference, { group: "", version: "" }) : undefined;
  const isUnknown = !group.kubernetes && reference !== undefined && context.index.find(reference) === undefined;
  if (reference !== undefined && (replacedBy === undefined || isUnknown)) {
    const suggestion = closest(reference, context.index.references());
    context.diagnostics.report(
      "replacement-kind",
      placeOf(declaration, "replacement", at),
      { kind: reference },
      suggestion,
    );
  }
  return {
    ...(typeof introduced === "string" && { introduced }),
    ...(typeof deprecated === "string" && { deprecated }),
    ...(typeof removed === "string" && { removed }),
    ...(replacedBy && { replacement: replacedBy }),
  };
}

function isObject(value: Literal | undefined): value is { readonly [key: string]: Literal } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
