import { apiVersionOf } from "../../runtime/contract/group-version.ts";
import type { TypeRef } from "../model/contract.ts";
import type { ConfigKindModel, KindModel, Model, StructModel } from "../model/model.ts";
import { structOf } from "../model/type-walk.ts";
import { compareVersions } from "../model/versions.ts";
import { Addresses, CORE } from "./addresses.ts";
import type { Examples } from "./examples.ts";
import { configKindPage, kindPage } from "./kind-page.ts";
import { blocks, code, escapeCell, escapeText, firstSentence, link, type Page, table } from "./page.ts";
import { type Placement, placeTypes } from "./place-types.ts";
import { typeSection } from "./type-section.ts";

/** An entry of the site's navigation. */
export interface SidebarItem {
  readonly text: string;
  readonly link?: string;
  readonly collapsed?: boolean;
  readonly items?: readonly SidebarItem[];
}

export interface Reference {
  readonly pages: readonly Page[];
  /** Sidebar by the path prefix of the pages that show it. */
  readonly sidebars: { readonly [prefix: string]: readonly SidebarItem[] };
}

/** Writes the reference of the kinds of these groups: a page for each kind and version, and for each type that several of them use. */
export function referencePages(model: Model, groups: ReadonlySet<string>, examples: Examples): Reference {
  const modules = [...model.modules.values()].filter(({ group }) => group !== undefined && groups.has(group.name));
  const kinds = modules.flatMap((module) => module.kinds.filter(({ unserved }) => !unserved)).sort(byName);
  const configKinds = modules.flatMap((module) => module.configKinds).sort(byName);
  const roots = [...kinds, ...configKinds].map(({ type }) => type);
  const placement = placeTypes(model, roots);
  const addresses = new Addresses(model, placement);
  const context = { model, addresses, placement, kinds };
  const shared = placement.pages.filter((ref) => !roots.includes(ref)).flatMap((ref) => structOf(model, ref) ?? []);
  const pages = [
    indexPage(kinds, configKinds, shared, addresses),
    ...kinds.map((kind) => kindPage(kind, examples.of(model, kind), context)),
    ...configKinds.map((kind) => configKindPage(kind, examples.find(kind), context)),
    ...shared.map((struct) => typePage(model, struct, placement, addresses)),
  ];
  return { pages, sidebars: sidebarsOf(model, [...kinds, ...configKinds], shared, addresses) };
}

/** Writes the page of a struct that several pages use. */
function typePage(model: Model, struct: StructModel, placement: Placement, addresses: Addresses): Page {
  const module = moduleOf(struct.ref);
  return {
    path: addresses.pathOf(struct.ref),
    title: `${struct.name} (${module})`,
    text: blocks(
      `# ${struct.name}`,
      `A type of ${code(module)} that several kinds use.`,
      escapeText(struct.description),
      ...placement.sectionsOf(struct.ref).map((section) => typeSection(model, section, struct.ref, addresses)),
    ),
  };
}

function indexPage(
  kinds: readonly KindModel[],
  configKinds: readonly ConfigKindModel[],
  shared: readonly StructModel[],
  addresses: Addresses,
): Page {
  const groups = [...new Set(kinds.map(({ group }) => group))].sort();
  const configRows = configKinds.map((kind) => [
    link(kind.kind, `/${addresses.pathOf(kind.type)}`),
    code(apiVersionOf(kind)),
  ]);
  const types = shared.map(({ name, ref }) => link(name, `/${addresses.pathOf(ref)}`)).sort();
  return {
    path: "reference/index",
    title: "Reference",
    text: blocks(
      "# Reference",
      "Every kind in every version, with its fields. Types that several kinds use have pages of their own.",
      ...groups.map((group) => groupTable(group, kinds, addresses)),
      configRows.length === 0 ? undefined : "## Configuration files",
      configRows.length === 0 ? undefined : table(["kind", "version"], configRows),
      types.length === 0 ? undefined : "## Shared types",
      types.join(", "),
    ),
  };
}

function groupTable(group: string, kinds: readonly KindModel[], addresses: Addresses): string {
  const own = kinds.filter((kind) => kind.group === group);
  const rows = [...new Set(own.map(({ kind }) => kind))].map((name) => {
    const versions = own.filter(({ kind }) => kind === name).sort((a, b) => compareVersions(a.version, b.version));
    return [
      link(name, `/${addresses.pathOf(versions[0]!.type)}`),
      versions.map(({ version, type }) => link(code(version), `/${addresses.pathOf(type)}`)).join(" "),
      escapeCell(firstSentence(versions[0]!.description)),
    ];
  });
  return blocks(`## ${group || CORE}`, table(["kind", "versions", "description"], rows));
}

/** Returns one sidebar per group, so that pages stay small. */
function sidebarsOf(
  model: Model,
  kinds: readonly (KindModel | ConfigKindModel)[],
  shared: readonly StructModel[],
  addresses: Addresses,
): Reference["sidebars"] {
  const sidebars: { [prefix: string]: SidebarItem[] } = {};
  const modules = new Set([...kinds.map(({ module }) => module), ...shared.map(({ ref }) => moduleOf(ref))]);
  for (const module of [...modules].sort((a, b) => compareVersions(versionOf(model, a), versionOf(model, b)))) {
    const folder = addresses.folderOf(module);
    const item = ({ kind, type }: KindModel | ConfigKindModel): SidebarItem => ({
      text: kind,
      link: `/${addresses.pathOf(type)}`,
    });
    const types = shared.filter(({ ref }) => moduleOf(ref) === module);
    const typeItems = types.map(({ name, ref }) => ({ text: name, link: `/${addresses.pathOf(ref)}` }));
    const prefix = `/${folder.split("/").slice(0, 2).join("/")}/`;
    (sidebars[prefix] ??= []).push(
      { text: folder.split("/").slice(1).join("/"), items: kinds.filter((kind) => kind.module === module).map(item) },
      ...(typeItems.length === 0
        ? []
        : [
            {
              text: `Types of ${folder.split("/").slice(1).join("/")}`,
              collapsed: true,
              items: typeItems.sort(byText),
            },
          ]),
    );
  }
  return sidebars;
}

function versionOf(model: Model, module: string): string {
  return model.modules.get(module)?.version ?? "";
}

function moduleOf(ref: TypeRef): string {
  return ref.slice(0, ref.lastIndexOf("."));
}

function byName(a: { readonly kind: string }, b: { readonly kind: string }): number {
  return a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0;
}

function byText(a: SidebarItem, b: SidebarItem): number {
  return a.text < b.text ? -1 : 1;
}
