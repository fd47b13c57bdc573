import { posix } from "node:path";
import type { Diagnostics } from "../diagnostics.ts";
import { type CodeFile, readCodeFile, readDefaultCode } from "../reader/read-default-code.ts";
import type { ProjectSyntax } from "../reader/read-project.ts";
import type { DefinitionFile, Location, TypeDeclaration } from "../reader/syntax.ts";
import { folderOf, isOwnFile, type SourceTree } from "../source-tree.ts";
import { buildGates } from "./build-gates.ts";
import { buildGroups, fillIn, namesFor, readPlatform } from "./build-groups.ts";
import { buildConfigKinds, buildKinds, type KindContext, scopeOf } from "./build-kinds.ts";
import { buildMetrics } from "./build-metrics.ts";
import { buildProject } from "./build-project.ts";
import { TypeBuilder } from "./build-types.ts";
import { checkDeclarations } from "./check-declarations.ts";
import { numberFields, withNumbers, withSameEntries } from "./field-numbers.ts";
import { type BuiltModule, GenerationMemory } from "./generation-memory.ts";
import { KindIndex } from "./kind-index.ts";
import type { FieldNumbers, GroupModel, Model, ModuleModel, TypeModel } from "./model.ts";
import { moduleOf, Names } from "./names.ts";
import { readFieldNumbers } from "./read-field-numbers.ts";
import { isVersionName } from "./versions.ts";

/** Builds the model from the definitions: resolves names, interprets markers, and groups files into modules. */
export function buildModel(
  files: readonly DefinitionFile[],
  tree: SourceTree,
  diagnostics: Diagnostics,
  config?: ProjectSyntax,
  memory = new GenerationMemory(),
): Model {
  const names = new Names(files);
  checkDeclarations(
    files.filter(({ path }) => isOwnFile(tree, path)),
    names,
    diagnostics,
  );
  reportUnplaced(
    files.filter(({ path }) => isOwnFile(tree, path)),
    diagnostics,
  );
  const platform = readPlatform(files, config);
  const project = buildProject(config, platform);
  const domainOf = (folder: string): string => {
    const foreign = tree.foreign?.get(folder);
    return foreign === undefined ? project.domain : (foreign.domain ?? platform.domain);
  };
  const groups = buildGroups(files, names, platform, domainOf);
  const index = new KindIndex(files, groups);
  const hooks = new Map([...tree.files].filter(([path]) => path.endsWith(".hooks.ts")));
  const contextOf = (group: GroupModel): KindContext => {
    return { names, platform: namesFor(group, platform, domainOf(group.folder)), diagnostics, index, hooks };
  };
  const types = new TypeBuilder(names, platform, diagnostics);
  const listOf = findListOf(files);
  const bases = extendedTypes(files, names);

  const modules = new Map<string, ModuleModel>();
  const built = new Map<string, BuiltModule>();
  const reusable = memory.reusable(files, tree);
  const isOwn = (module: string): boolean => tree.foreign?.has(folderOf(`api-definitions/${module}`)) !== true;
  for (const [name, members] of byModule(files, isOwn)) {
    const [folder = "", version] = name.split("/");
    const at: Location = { file: members[0]!.path, line: 1, column: 1, text: "" };
    const group = groups.find((one) => one.folder === folder);
    if (version !== undefined) checkVersion(folder, version, group, at, diagnostics);
    const wire = !(group?.configuration ?? false);
    const numbersFile = `api-definitions/${name}/field-numbers.json`;
    const numbersText = tree.files.get(numbersFile);
    const last = reusable.module(name);
    const isSameText = last !== undefined && last.numbersText === numbersText;
    const read = isSameText ? last.known : readFieldNumbers(numbersText, numbersFile, diagnostics);
    const known = last === undefined ? read : withSameEntries(last.known, read);
    const declared = types.build(members, known, (file, type) =>
      last?.known[type] === known[type] && reusable.isUnchanged(file) ? last?.declared.get(type) : undefined,
    );
    const kinds =
      group === undefined || version === undefined
        ? []
        : members.flatMap((file) => buildKinds(file, group, version, contextOf(group)));
    const configKinds =
      group === undefined || version === undefined
        ? []
        : members.flatMap((file) => buildConfigKinds(file, group, version, contextOf(group)));
    if (group !== undefined)
      reportForgotten(members, new Set([...kinds, ...configKinds].map(({ kind }) => kind)), bases, names, diagnostics);
    for (const { kind, plural, listType } of kinds) {
      const struct = declared.get(kind);
      if (listType === undefined || listOf === undefined || struct?.form !== "struct" || declared.has(`${kind}List`))
        continue;
      const before = reusable.isUnchanged(listOf.file) ? last?.declared.get(`${kind}List`) : undefined;
      const isSame = before?.implied && last?.declared.get(kind) === struct && last.plurals.get(kind) === plural;
      declared.set(`${kind}List`, isSame ? before : types.listOf(struct, plural, listOf));
    }
    // Kinds of configuration files are not encoded as protobuf. Existing numbers are kept, but none are added.
    const numbers: FieldNumbers = wire ? numberFields(declared.values(), known, last) : known;
    const numbered = [...declared].map(([key, type]): [string, TypeModel] => {
      const isSame = last?.declared.get(key) === type && last.module.numbers[key] === numbers[key];
      return [key, (isSame ? last?.module.types.get(key) : undefined) ?? withNumbers(type, numbers)];
    });
    const module: ModuleModel = {
      name,
      ...(group && { group }),
      ...(version !== undefined && { version }),
      openapiPrefix: `${group?.openapiPackage ?? fillIn(folder, platform)}${version === undefined ? "" : `.${version}`}`,
      protoPackage: `${group?.protobufPackage ?? folder}${version === undefined ? "" : `.${version}`}`,
      types: new Map(numbered),
      kinds,
      configKinds,
      numbers,
      at,
    };
    modules.set(name, module);
    const plurals = new Map(kinds.map(({ kind, plural }) => [kind, plural]));
    built.set(name, { numbersText, known, declared, plurals, module });
  }
  memory.built(files, tree, built);
  const ownFiles = files.filter(({ path }) => isOwnFile(tree, path));
  return {
    ...platform,
    project,
    groups,
    modules,
    ownGroups: groups.filter(({ folder }) => isOwn(folder)),
    ownModules: [...modules.values()].filter(({ name }) => isOwn(name)),
    ...(tree.foreign && { uses: tree.uses ?? [] }),
    gates: buildGates(ownFiles),
    metrics: buildMetrics(ownFiles),
    memory,
    defaultCode: (hooks) => readDefaultCode(hooks, (path) => codeFile(path, tree, memory)),
  };
}

function codeFile(path: string, { files }: SourceTree, memory: GenerationMemory): CodeFile | undefined {
  const text = path.endsWith(".ts") ? files.get(path) : undefined;
  return text === undefined ? undefined : memory.parsed(`code of ${path}`, text, readCodeFile);
}

/** A type is named after the folder of its file. */
function reportUnplaced(files: readonly DefinitionFile[], diagnostics: Diagnostics): void {
  for (const { path, types } of files) {
    if (moduleOf(path) !== "") continue;
    const file = `api-definitions/common/${posix.basename(path)}`;
    for (const { name, at } of types) diagnostics.report("type-place", at, { name, file });
  }
}

/** Returns the declarations of the types that other types extend. */
function extendedTypes(files: readonly DefinitionFile[], names: Names): ReadonlySet<TypeDeclaration> {
  const extended = files.flatMap(({ path, types }) =>
    types.flatMap((type) =>
      type.extends.map((base) => (base.form === "word" ? names.declaration(path, base.name)?.declaration : undefined)),
    ),
  );
  return new Set(extended.filter((type) => type !== undefined));
}

/** Reports interfaces that extend a base of kinds, and neither are declared as a kind nor extended by another interface. */
function reportForgotten(
  files: readonly DefinitionFile[],
  declared: ReadonlySet<string>,
  extended: ReadonlySet<TypeDeclaration>,
  names: Names,
  diagnostics: Diagnostics,
): void {
  for (const file of files) {
    for (const type of file.types) {
      const { name, at } = type;
      const scope = scopeOf(type, file.path, names);
      if (scope === undefined || declared.has(name) || extended.has(type)) continue;
      const constant = name.charAt(0).toLowerCase() + name.slice(1);
      diagnostics.report("kind-forgotten", at, { name, base: scope, constant });
    }
  }
}

function findListOf(files: readonly DefinitionFile[]) {
  for (const file of files) {
    const declaration = moduleOf(file.path) === "meta/v1" && file.types.find(({ name }) => name === "ListOf");
    if (declaration) return { declaration, file: file.path };
  }
  return undefined;
}

/**
 * Returns the files by module, sorted by name, those of other packages first. Leaves out files directly in the folder of a group: they belong
 * to no version.
 */
function byModule(files: readonly DefinitionFile[], isOwn: (module: string) => boolean): [string, DefinitionFile[]][] {
  const modules = new Map<string, DefinitionFile[]>();
  for (const file of files) {
    const module = moduleOf(file.path);
    if (module === "" || /\/(group|conversions)\.ts$/.test(file.path)) continue;
    modules.set(module, [...(modules.get(module) ?? []), file]);
  }
  return [...modules].sort(([a], [b]) => Number(isOwn(a)) - Number(isOwn(b)) || (a < b ? -1 : 1));
}

function checkVersion(
  folder: string,
  version: string,
  group: GroupModel | undefined,
  at: Location,
  diagnostics: Diagnostics,
): void {
  if (!isVersionName(version)) diagnostics.report("version-name", at, { version });
  if (group === undefined) diagnostics.report("group-missing", at, { folder });
  else if (!group.versions.includes(version))
    diagnostics.report("version-unlisted", at, { group: group.folder, version });
}
