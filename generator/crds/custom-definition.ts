import { conversionRows } from "../emitters/converters/emit-converters.ts";
import { servedKinds } from "../emitters/resources/emit-resources.ts";
import { hubOf } from "../model/hub.ts";
import type { ColumnModel, KindModel, Model } from "../model/model.ts";
import { compareReleases, compareVersions } from "../model/versions.ts";
import type { Location } from "../reader/syntax.ts";
import type { JsonSchema } from "./json-schema.ts";
import { type CrdNote, writeSchema } from "./schema-writer.ts";

/** How a webhook is reached: through a Service of the cluster or by URL. */
export interface WebhookClient {
  readonly service?: {
    readonly namespace: string;
    readonly name: string;
    readonly path?: string;
    readonly port?: number;
  };
  readonly url?: string;
  readonly caBundle?: string;
}

export interface CustomDefinition {
  readonly apiVersion: "apiextensions.k8s.io/v1";
  readonly kind: "CustomResourceDefinition";
  readonly metadata: { readonly name: string; readonly annotations?: { readonly [name: string]: string } };
  readonly spec: {
    readonly group: string;
    readonly scope: "Namespaced" | "Cluster";
    readonly names: {
      readonly kind: string;
      readonly listKind: string;
      readonly plural: string;
      readonly singular: string;
      readonly shortNames?: readonly string[];
      readonly categories?: readonly string[];
    };
    readonly conversion?: {
      readonly strategy: "Webhook";
      readonly webhook: { readonly conversionReviewVersions: readonly string[]; readonly clientConfig: WebhookClient };
    };
    readonly versions: readonly DefinitionVersion[];
  };
}

export interface DefinitionVersion extends VersionParts {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: true;
  readonly deprecationWarning?: string;
  readonly schema: { readonly openAPIV3Schema: JsonSchema };
}

/** The parts of a version other than its schema. */
export interface VersionParts {
  readonly subresources?: {
    readonly status?: object;
    readonly scale?: {
      readonly specReplicasPath: string;
      readonly statusReplicasPath: string;
      readonly labelSelectorPath?: string;
    };
  };
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
}

interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
}

export interface WrittenDefinition {
  readonly definition: CustomDefinition;
  readonly notes: readonly CrdNote[];
  /** Source location of each part of the schema, one map per version, by path in the schema. */
  readonly places: readonly ReadonlyMap<string, Location>[];
  /** Whether some versions are converted by code, so that the definition needs a conversion webhook. */
  readonly converts: boolean;
  readonly hooks: readonly KindModel[];
}

/** Path at which `typeplane webhook` serves conversion reviews. */
const CONVERT_PATH = "/convert";

/** Returns the CustomResourceDefinition of a kind with all of its versions, most stable first. */
export function writeDefinition(
  model: Model,
  versions: readonly KindModel[],
  webhook?: WebhookClient,
): WrittenDefinition {
  const sorted = [...versions].sort((a, b) => compareVersions(a.version, b.version));
  const hub = hubOf(model, sorted[0]!);
  const { group, kind, plural, singular, shortNames, categories, namespaced } = hub;
  const written = sorted.map((one) => writeSchema(model, one));
  const notes = sorted.flatMap((one, index) => [...written[index]!.notes, ...notesOf(model, one)]);
  const rows = conversionRows(model).filter(({ from }) => sorted.some(({ type }) => type === from));
  const relabeled = new Set(
    model.groups.flatMap(({ conversions }) => conversions.flatMap(({ from, relabels }) => (relabels ? [from] : []))),
  );
  const converts = rows.some(({ from, how }) => how !== "identical" && !relabeled.has(from));
  if (converts && webhook === undefined)
    notes.push({
      where: `${group} ${kind}`,
      text: "versions are converted by code: give --webhook-service or --webhook-url, and run `typeplane webhook` there",
      at: hub.at,
    });
  if (isProtected(group))
    notes.push({
      where: `${group} ${kind}`,
      text: `${group} belongs to Kubernetes: the definition is marked as unapproved (api-approved.kubernetes.io)`,
      at: hub.at,
    });
  return {
    converts,
    notes,
    places: written.map(({ places }) => places),
    hooks: sorted.filter(({ hooks }) => hooks !== undefined),
    definition: {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: {
        name: `${plural}.${group}`,
        ...(isProtected(group) && { annotations: { "api-approved.kubernetes.io": "unapproved, experimental-only" } }),
      },
      spec: {
        group,
        scope: namespaced ? "Namespaced" : "Cluster",
        names: {
          kind,
          listKind: `${kind}List`,
          plural,
          singular,
          ...(shortNames.length > 0 && { shortNames }),
          ...(categories.length > 0 && { categories }),
        },
        ...(converts &&
          webhook && {
            conversion: {
              strategy: "Webhook",
              webhook: { conversionReviewVersions: ["v1"], clientConfig: atPath(webhook, CONVERT_PATH) },
            },
          }),
        versions: sorted.map((one, index) => versionOf(model, one, hub, written[index]!.schema)),
      },
    },
  };
}

/** Returns the versions of each kind in the selected groups, or in all groups of the project if `groups` is empty or contains `own`. */
export function kindsByDefinition(model: Model, groups: readonly string[]): KindModel[][] {
  const own = new Set(
    model.ownGroups.filter((group) => !group.kubernetes && !group.configuration).map(({ name }) => name),
  );
  own.delete(model.groups.find(({ folder }) => folder === "meta")?.name ?? "");
  const chosen = groups.length === 0 || groups.includes("own") ? own : new Set<string>();
  for (const name of groups) chosen.add(name);
  const byName = new Map<string, KindModel[]>();
  for (const kind of servedKinds(model)) {
    if (!chosen.has(kind.group) || kind.virtual) continue;
    const name = `${kind.group}/${kind.kind}`;
    byName.set(name, [...(byName.get(name) ?? []), kind]);
  }
  return [...byName.values()];
}

/** Returns the client with this path if it has no path of its own. */
export function atPath({ service, url, caBundle }: WebhookClient, path: string): WebhookClient {
  return {
    ...(service && { service: { ...service, path: service.path ?? path, port: service.port ?? 443 } }),
    ...(url !== undefined && { url: new URL(url).pathname === "/" ? new URL(path, url).href : url }),
    ...(caBundle !== undefined && { caBundle }),
  };
}

function versionOf(model: Model, kind: KindModel, hub: KindModel, schema: JsonSchema): DefinitionVersion {
  const { deprecated, removed } = kind.lifecycle;
  const { release } = model.project;
  const has = (at: string | undefined): boolean => at !== undefined && compareReleases(at, release) <= 0;
  const scale = kind.subresources.find((one) => one.scale !== undefined)?.scale;
  const status = kind.subresources.some(({ name }) => name === "status");
  const columns = columnsOf(kind);
  return {
    name: kind.version,
    served: !kind.offByDefault && !has(removed),
    storage: kind.type === hub.type,
    ...(has(deprecated) && { deprecated: true, ...warningOf(kind) }),
    schema: { openAPIV3Schema: schema },
    ...((status || scale) && {
      subresources: {
        ...(status && { status: {} }),
        ...(scale && {
          scale: {
            specReplicasPath: scale.specReplicas,
            statusReplicasPath: scale.statusReplicas,
            ...(scale.labelSelector !== undefined && { labelSelectorPath: scale.labelSelector }),
          },
        }),
      },
    }),
    ...(kind.selectableFields.length > 0 && {
      selectableFields: kind.selectableFields.map((path) => ({ jsonPath: path.startsWith(".") ? path : `.${path}` })),
    }),
    ...(columns.length > 0 && { additionalPrinterColumns: columns }),
  };
}

/** Returns the deprecation warning that clients receive. An empty one stands for the default warning of Kubernetes. */
function warningOf(kind: KindModel): { deprecationWarning?: string } {
  if (kind.deprecationWarning === "") return {};
  if (kind.deprecationWarning !== undefined) return { deprecationWarning: kind.deprecationWarning };
  const { deprecated, replacement, removed } = kind.lifecycle;
  const gone = removed === undefined ? "" : `, unavailable in v${removed}+`;
  const instead =
    replacement === undefined ? "" : `; use ${replacement.group}/${replacement.version} ${replacement.kind}`;
  const what = `${kind.group}/${kind.version} ${kind.kind}`;
  return { deprecationWarning: `${what} is deprecated in v${deprecated}+${gone}${instead}` };
}

const CREATED = ".metadata.creationTimestamp";

/** Returns the columns of a table. The name is omitted, because every table begins with it. A table without columns shows the age. */
function columnsOf({ columns }: KindModel): PrinterColumn[] {
  return columns.flatMap((column): PrinterColumn[] => {
    const { name, type, format, description, priority } = column;
    const jsonPath = pathOf(column);
    if (jsonPath === undefined || isName(column)) return [];
    // The server shows this column as an age whatever its declared type.
    const isAge = name === "Age" && jsonPath === CREATED;
    return [
      {
        name,
        type: isAge ? "date" : type,
        jsonPath,
        ...(format !== "" && { format }),
        ...(description !== "" && { description }),
        ...(priority !== 0 && { priority }),
      },
    ];
  });
}

function pathOf({ name, path }: ColumnModel): string | undefined {
  return path ?? (name === "Age" ? CREATED : undefined);
}

function isName({ name, path, format }: ColumnModel): boolean {
  return name === "Name" && path === ".metadata.name" && format === "name";
}

/** Returns notes about features that only a typeplane server has. */
function notesOf(_model: Model, kind: KindModel): CrdNote[] {
  const where = `${kind.group}/${kind.version} ${kind.kind}`;
  const note = (text: string): CrdNote => ({ where, text, at: kind.at });
  const others = kind.subresources.filter(({ name, scale }) => name !== "status" && scale === undefined);
  return [
    ...(kind.hooks === undefined
      ? []
      : [note("hooks run in `typeplane webhook`, which the admission webhooks in webhooks.yaml call")]),
    ...kind.columns
      .filter((column) => pathOf(column) === undefined)
      .map(({ name }) => note(`the column ${name} is left out: a hook makes its cells`)),
    ...others.map(({ name }) =>
      note(`the subresource ${name} is left out: custom resources have status and scale only`),
    ),
    ...(kind.verbs.length < 8 ? [note("all verbs are served: limit them with RBAC")] : []),
  ];
}

/** Whether the group belongs to Kubernetes' own domains, which require an approval annotation. */
function isProtected(group: string): boolean {
  return /(^|\.)(k8s|kubernetes)\.io$/.test(group);
}
