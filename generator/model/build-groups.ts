import { posix } from "node:path";
import type { ProjectSyntax } from "../reader/read-project.ts";
import type { CallDeclaration, DefinitionFile, Literal, LiteralSyntax } from "../reader/syntax.ts";
import type { TypeRef } from "./contract.ts";
import type { ConversionModel, GroupModel } from "./model.ts";
import type { Names } from "./names.ts";

export interface Platform {
  readonly release: string;
  readonly domain: string;
  readonly vendor: string;
}

/** Reads the Kubernetes release, domain and vendor from `release.ts`. With the defaults, existing clients work. A project may change the vendor. */
export function readPlatform(files: readonly DefinitionFile[], config?: ProjectSyntax): Platform {
  const calls = files.flatMap((file) => file.calls);
  const value = calls.find((call) => call.word === "platform")?.argument.value ?? {};
  return {
    release: text(value.release, "1.33"),
    domain: text(value.domain, "k8s.io"),
    vendor: text(config?.declaration.value.vendor, text(value.vendor, "kubernetes")),
  };
}

/** Replaces the placeholders `<domain>` and `<vendor>`. */
export function fillIn(value: string, { domain, vendor }: Platform): string {
  if (!value.includes("<")) return value;
  return value.replaceAll("<domain>", domain).replaceAll("<vendor>", vendor);
}

/** Returns the values of the placeholders for a group: the project's own groups use the project's domain. */
export function namesFor(group: Pick<GroupModel, "kubernetes" | "configuration">, platform: Platform, domain: string) {
  return group.kubernetes || group.configuration ? platform : { ...platform, domain };
}

export function buildGroups(
  files: readonly DefinitionFile[],
  names: Names,
  platform: Platform,
  domainOf: (folder: string) => string,
): GroupModel[] {
  const groups: GroupModel[] = [];
  const byPath = new Map(files.map((file) => [file.path, file]));
  for (const file of files) {
    const call = file.calls.find(({ word }) => word === "group");
    if (call === undefined) continue;
    const folder = posix.basename(posix.dirname(file.path));
    const conversions = byPath.get(posix.join(posix.dirname(file.path), "conversions.ts"));
    groups.push(buildGroup(call, folder, conversions, names, platform, domainOf(folder)));
  }
  return groups.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function buildGroup(
  call: CallDeclaration,
  folder: string,
  conversions: DefinitionFile | undefined,
  names: Names,
  platform: Platform,
  domain: string,
): GroupModel {
  const { value } = call.argument;
  const owner = { configuration: value.configuration === true, kubernetes: value.kubernetes === true };
  const name = fillIn(text(value.name, folder), namesFor(owner, platform, domain));
  return {
    folder,
    name,
    versions: strings(value.versions),
    ...(typeof value.priority === "number" && { priority: value.priority }),
    ...formerPriority(value.formerPriority),
    formerVersions: strings(value.formerVersions),
    ...packages(value.package, name, folder, platform),
    ...owner,
    ...(value.imported === true && { imported: true }),
    ...(typeof value.scheme === "string" && { scheme: value.scheme }),
    at: call.at,
    declaration: call.argument,
    conversions: (conversions?.calls ?? []).flatMap((one) => readConversion(one, conversions!.path, names)),
    ...(conversions && { conversionsFile: conversions.path }),
  };
}

function formerPriority(declared: Literal | undefined): Pick<GroupModel, "formerPriority"> {
  if (typeof declared !== "object" || declared === null || Array.isArray(declared)) return {};
  const { until, priority } = declared as { readonly [key: string]: Literal | undefined };
  if (typeof until !== "string" || typeof priority !== "number") return {};
  return { formerPriority: { until, priority } };
}

/**
 * Returns the package names of a group. `api/rbac` gives `io.k8s.api.rbac` and `k8s.io.api.rbac` in the domain `k8s.io`. A group of another
 * domain (`library.example.com`) is its own package.
 */
function packages(declared: Literal | undefined, name: string, folder: string, { domain }: Platform) {
  const foreign = declared === undefined && name.includes(".") && !name.endsWith(`.${domain}`);
  if (foreign) return { openapiPackage: reversed(name), protobufPackage: name.replaceAll("-", "_") };
  const path = text(declared, `api/${folder}`).replaceAll("/", ".");
  return {
    openapiPackage: `${reversed(domain)}.${path}`,
    protobufPackage: `${domain}.${path}`.replaceAll("-", "_"),
  };
}

function reversed(domain: string): string {
  return domain.split(".").reverse().join(".");
}

/** `conversion<Old, Hub>({ rename: { "spec.title": "spec.name" }, toHub, fromHub })`. */
function readConversion(call: CallDeclaration, file: string, names: Names): ConversionModel[] {
  if (call.word !== "conversion") return [];
  const [from, to] = call.types.map((type) => (type.form === "word" ? names.origin(file, type.name) : undefined));
  if (!isRef(from) || !isRef(to)) return [];
  const { value } = call.argument;
  return [
    {
      name: call.name,
      from,
      to,
      rename: pairs(value.rename),
      hasToHub: value.toHub !== undefined,
      hasFromHub: value.fromHub !== undefined,
      ...(value.relabels === true && { relabels: true }),
      at: call.at,
      declaration: call.argument,
    },
  ];
}

function isRef(origin: string | undefined): origin is TypeRef {
  return origin?.includes(".") ?? false;
}

export function text(value: Literal | undefined, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}

export function strings(value: Literal | undefined): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

export function pairs(value: Literal | undefined): { [key: string]: string } {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  const entries = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return Object.fromEntries(entries);
}

/** Returns the location of a part of a declaration, or of the whole if the part is not declared. */
export function placeOf(declaration: LiteralSyntax, path: string, otherwise: CallDeclaration["at"]) {
  return declaration.places.get(path) ?? declaration.places.get("") ?? otherwise;
}
