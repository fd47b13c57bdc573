import type { ApiCatalogue, ResourceDescriptor, TypeModule } from "../model/contract.ts";
import type { MetricModel } from "../model/model.ts";

/** The parts of an API that clients can see and rely on: its types, its kinds with their lifecycles, and its feature gates. */
export interface ApiSnapshot {
  /** The project's release. */
  readonly release: string;
  /** The Kubernetes release, if the project has releases of its own. */
  readonly kubernetes?: string;
  /** Types by module (`apps/v1`) and name. */
  readonly modules: { readonly [module: string]: TypeModule["types"] };
  readonly kinds: readonly KindSnapshot[];
  /** Kinds of configuration files; absent in old snapshots. */
  readonly configKinds?: readonly KindSnapshot[];
  readonly gates: readonly GateSnapshot[];
  readonly metrics: readonly MetricModel[];
}

export type KindSnapshot = Pick<ResourceDescriptor, "group" | "version" | "kind" | "resource" | "lifecycle"> & {
  readonly module: string;
  /** `group/version` of the stored version. */
  readonly storage: string;
  /** Scope and features of the kind; absent in old snapshots. */
  readonly namespaced?: boolean;
  readonly verbs?: readonly string[];
  readonly subresources?: readonly string[];
  readonly selectableFields?: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly columns?: readonly string[];
  readonly offByDefault?: true;
  readonly gate?: string;
};

export interface GateSnapshot {
  readonly name: string;
  readonly steps: readonly {
    readonly since: string;
    readonly stage: string;
    readonly enabled?: boolean;
    readonly locked?: true;
  }[];
  readonly dropped?: string;
}

/** Returns the content of a generated file by its path below `generated/`. */
export type ReadGenerated = (path: string) => string | undefined;

/** Takes the snapshot of an API from its generated files. `typeFiles` are the paths of its type modules. */
export function takeSnapshot(
  read: ReadGenerated,
  typeFiles: readonly string[],
  parseFile = (_path: string, text: string): unknown => JSON.parse(text),
): ApiSnapshot {
  const parse = <T>(path: string): T | undefined => {
    const text = read(path);
    return text === undefined ? undefined : (parseFile(path, text) as T);
  };
  const catalogue = parse<Pick<ApiCatalogue, "release" | "project" | "resources">>("resources.json") ?? {
    release: "",
    resources: [],
  };
  const modules: Record<string, TypeModule["types"]> = {};
  for (const file of typeFiles) {
    const module = parse<TypeModule>(file);
    if (module !== undefined) modules[module.module] = module.types;
  }
  const { release, project } = catalogue;
  return {
    release: project?.release ?? release,
    ...(project?.releases !== undefined && { kubernetes: release }),
    modules,
    kinds: catalogue.resources.map(kindSnapshot),
    configKinds: (parse<readonly ConfigKind[]>("config-kinds.json") ?? []).map(configKindSnapshot),
    gates: parse<readonly GateSnapshot[]>("feature-gates.json") ?? [],
    metrics: parse<readonly MetricModel[]>("metrics.json") ?? [],
  };
}

function kindSnapshot(descriptor: ResourceDescriptor): KindSnapshot {
  const { group, version, kind, resource, lifecycle, type, storage, namespaced, verbs, subresources } = descriptor;
  const { selectableFields, shortNames, categories, columns, offByDefault, gate } = descriptor;
  return {
    group,
    version,
    kind,
    resource,
    lifecycle,
    module: moduleOf(type),
    storage: `${storage.group}/${storage.version}`,
    namespaced,
    verbs,
    subresources: subresources.map(({ name }) => name),
    selectableFields,
    shortNames,
    categories,
    columns: columns.map(({ name }) => name),
    ...(offByDefault && { offByDefault }),
    ...(gate !== undefined && { gate }),
  };
}

type ConfigKind = Pick<ResourceDescriptor, "group" | "version" | "kind" | "lifecycle" | "type">;

/** Kinds of configuration files have neither resource names nor a stored version. */
function configKindSnapshot({ group, version, kind, lifecycle, type }: ConfigKind): KindSnapshot {
  return { group, version, kind, resource: "", lifecycle, module: moduleOf(type), storage: "" };
}

function moduleOf(type: string): string {
  return type.slice(0, type.lastIndexOf("."));
}

/** Serializes the snapshot with one type, kind or gate per line, so that diffs are readable. */
export function writeSnapshot({
  release,
  kubernetes,
  modules,
  kinds,
  configKinds,
  gates,
  metrics,
}: ApiSnapshot): string {
  const moduleTexts = Object.entries(modules).map(([module, types]) => {
    const lines = Object.entries(types).map(([name, type]) => `${JSON.stringify(name)}:${JSON.stringify(type)}`);
    return `${JSON.stringify(module)}:{\n${lines.join(",\n")}\n}`;
  });
  const rows = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(",\n");
  return `{"release":${JSON.stringify(release)},${kubernetes === undefined ? "" : `"kubernetes":${JSON.stringify(kubernetes)},`}\n"modules":{\n${moduleTexts.join(",\n")}\n},\n"kinds":[\n${rows(kinds)}\n],${configKinds === undefined ? "" : `\n"configKinds":[\n${rows(configKinds)}\n],`}\n"gates":[\n${rows(gates)}\n],\n"metrics":[\n${rows(metrics)}\n]}\n`;
}

export function readSnapshot(text: string): ApiSnapshot {
  return JSON.parse(text) as ApiSnapshot;
}
