import type { Artifact } from "../../artifact.ts";
import { kindRead } from "../../model/hook-reads.ts";
import type { ConversionModel, KindModel, Model, ModuleModel } from "../../model/model.ts";
import { findType } from "../../model/type-walk.ts";
import { generateCommand, loadTemplate } from "../template.ts";

/** Import path in this repository, whose runtime is not a package. */
const TOKENS = "../../runtime/contract/resource-token.ts";
const registry = loadTemplate("registry.hbs", import.meta.url);
const registrations = loadTemplate("registrations.hbs", import.meta.url);

/** `generated/registry.ts`, which loads generated files on demand, and one file of typed registrations per version. */
export function emitRegistry(model: Model): Artifact[] {
  const modules = model.ownModules;
  const isPackage = model.uses === undefined;
  const command = generateCommand(model);
  const view = {
    isPackage,
    command,
    uses: (model.uses ?? []).map((packageName, index) => ({ packageName, constant: `used${index + 1}` })),
    modules: modules
      .filter((module) => module.types.size > 0)
      .map(({ name, protoPackage }) => ({ name, protoPackage })),
    hooks: modules.flatMap((module) => [...module.kinds, ...module.configKinds].flatMap(hooksView)),
    reads: modules.flatMap((module) => module.kinds).flatMap((kind) => readsView(model, kind)),
    conversions: model.ownGroups.flatMap((group) =>
      group.conversions
        .filter((conversion) => conversion.hasToHub || conversion.hasFromHub)
        .map((conversion) => conversionView(model, conversion, group.conversionsFile ?? "")),
    ),
  };
  const perVersion = modules.filter((module) => servedOf(module).length > 0);
  return [
    { path: "generated/registry.ts", text: registry(view) },
    ...perVersion.map((module) => ({
      path: `generated/resources/${module.name.replace("/", ".")}.ts`,
      text: registrations({ ...registrationsView(module), command, tokens: isPackage ? TOKENS : "typeplane/registry" }),
    })),
  ];
}

function hooksView(kind: {
  hooks?: string;
  hookReads?: KindModel["hookReads"];
  type: string;
  file: string;
  kind: string;
}) {
  if (kind.hooks === undefined) return [];
  const reads = (kind.hookReads ?? []).length > 0;
  return [{ type: kind.type, definition: `../${kind.file}`, file: `../${kind.hooks}`, kind: kind.kind, reads }];
}

function readsView(model: Model, { type, hookReads }: KindModel) {
  if (hookReads.length === 0) return [];
  const kinds = hookReads.flatMap((read) => kindRead(model, read) ?? []);
  return [{ type, kinds: kinds.map(({ group, version, plural }) => ({ group, version, plural })) }];
}

function conversionView(model: Model, { from, to, name }: ConversionModel, file: string) {
  const short = (ref: string): string => ref.slice(ref.lastIndexOf(".") + 1);
  const fileOf = (ref: typeof from): string => `../${findType(model, ref)?.at.file ?? ""}`;
  return {
    from,
    name,
    file: `../${file}`,
    fromFile: fileOf(from),
    fromKind: short(from),
    hubFile: fileOf(to),
    hubKind: short(to),
  };
}

function servedOf(module: ModuleModel): KindModel[] {
  return module.kinds.filter((kind) => !kind.unserved).sort((a, b) => (a.plural < b.plural ? -1 : 1));
}

function registrationsView(module: ModuleModel) {
  const kinds = servedOf(module);
  const files = [...new Set(kinds.map((kind) => kind.file))].sort();
  return {
    imports: files.map((file) => ({
      file: `../../${file}`,
      names: kinds
        .filter((kind) => kind.file === file)
        .flatMap((kind) => [`type ${kind.kind}`, `${kind.constant} as ${definitionOf(kind)}`])
        .sort()
        .join(", "),
    })),
    resources: kinds.map((kind) => ({
      ...kind,
      resource: kind.plural,
      identifier: identifier(kind.plural),
      constant: definitionOf(kind),
    })),
  };
}

/** Returns the name under which a definition is imported. It cannot equal a plural: `endpoints` is both constant and plural. */
function definitionOf({ kind }: KindModel): string {
  return `define${kind}`;
}

function identifier(plural: string): string {
  return plural.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
