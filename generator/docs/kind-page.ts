import { apiVersionOf } from "../../runtime/contract/group-version.ts";
import type { GroupVersionKind, Lifecycle } from "../model/contract.ts";
import { hubOf, versionsOf } from "../model/hub.ts";
import type { ColumnModel, ConfigKindModel, KindModel, Model, SubresourceModel } from "../model/model.ts";
import { compareReleases, compareVersions } from "../model/versions.ts";
import type { Addresses } from "./addresses.ts";
import { blocks, code, escapeCell, escapeText, link, type Page, table } from "./page.ts";
import type { Placement } from "./place-types.ts";
import { typeSection } from "./type-section.ts";

export interface KindPageContext {
  readonly model: Model;
  readonly addresses: Addresses;
  readonly placement: Placement;
  readonly kinds: readonly KindModel[];
}

/** The reference page of a kind in one version. */
export function kindPage(kind: KindModel, example: string, context: KindPageContext): Page {
  const { model, addresses, placement } = context;
  const title = `${kind.kind} (${apiVersionOf(kind)})`;
  return {
    path: addresses.pathOf(kind.type),
    title,
    text: blocks(
      `# ${kind.kind} ${code(apiVersionOf(kind))}`,
      lifecycleNote(kind.lifecycle, context),
      escapeText(kind.description),
      table(["property", "value"], propertiesOf(kind, context)),
      `## Example\n\n\`\`\`yaml\n${example.trim()}\n\`\`\``,
      columnsOf(kind.columns),
      ...placement.sectionsOf(kind.type).map((struct) => typeSection(model, struct, kind.type, addresses)),
    ),
  };
}

/** The reference page of a kind that is read from a configuration file. */
export function configKindPage(kind: ConfigKindModel, example: string | undefined, context: KindPageContext): Page {
  const { model, addresses, placement } = context;
  const sections = placement.sectionsOf(kind.type);
  const names = kind.aliases.map((alias) => code(`${apiVersionOf(alias)} ${alias.kind}`));
  return {
    path: addresses.pathOf(kind.type),
    title: `${kind.kind} (${apiVersionOf(kind)})`,
    text: blocks(
      `# ${kind.kind} ${code(apiVersionOf(kind))}`,
      lifecycleNote(kind.lifecycle, context),
      "A kind of configuration file. The server reads it when it starts and does not serve it.",
      escapeText(sections[0]?.description ?? ""),
      names.length === 0 ? undefined : `Also accepted as ${names.join(", ")}.`,
      example === undefined ? undefined : `## Example\n\n\`\`\`yaml\n${example.trim()}\n\`\`\``,
      ...sections.map((struct) => typeSection(model, struct, kind.type, addresses)),
    ),
  };
}

function propertiesOf(kind: KindModel, context: KindPageContext): string[][] {
  const { introduced } = kind.lifecycle;
  const names = (words: readonly string[]): string => words.map(code).join(", ");
  const stored = hubOf(context.model, kind);
  return [
    ["resource", code(kind.plural)],
    ["short names", names(kind.shortNames)],
    ["categories", names(kind.categories)],
    ["scope", kind.namespaced ? "namespaced" : "cluster"],
    ["served since", introduced ?? ""],
    ["deprecated", kind.lifecycle.deprecated ?? ""],
    ["removed", kind.lifecycle.removed ?? ""],
    [
      "off by default",
      kind.offByDefault ? `enable it with ${code(`--runtime-config=${apiVersionOf(kind)}=true`)}` : "",
    ],
    ["feature gate", kind.gate === undefined ? "" : code(kind.gate)],
    ["verbs", names(kind.verbs)],
    ["subresources", kind.subresources.map(subresource).join(", ")],
    ["field selectors", kind.virtual ? "" : names(selectors(kind))],
    ["stored as", kind.virtual ? "not stored" : code(`${apiVersionOf(stored)} ${stored.kind}`)],
    ["other versions", otherVersions(kind, context).join(", ")],
  ].filter(([, value]) => value !== "") as string[][];
}

function selectors(kind: KindModel): string[] {
  const scope = kind.namespaced ? ["metadata.namespace"] : [];
  return [...new Set(["metadata.name", ...scope, ...kind.selectableFields])];
}

function subresource({ name, verbs, connect }: SubresourceModel): string {
  return `${code(name)} (${(connect?.methods ?? verbs).join(", ")})`;
}

function otherVersions(kind: KindModel, { model, addresses, kinds }: KindPageContext): string[] {
  const group = kind.storedIn ?? kind.group;
  const moved = kinds.filter((other) => other.kind === kind.kind && other.storedIn === group);
  return [...versionsOf(model, group, kind.kind), ...moved]
    .filter((other) => other.type !== kind.type && kinds.includes(other))
    .sort((a, b) => compareVersions(a.version, b.version))
    .map((other) => link(code(apiVersionOf(other)), `/${addresses.pathOf(other.type)}`));
}

/** Returns the warning at the top of the page if the version is deprecated or removed. */
function lifecycleNote({ deprecated, removed, replacement }: Lifecycle, context: KindPageContext): string | undefined {
  if (deprecated === undefined && removed === undefined) return undefined;
  const sentences = [
    ...(deprecated === undefined ? [] : [`Deprecated from ${deprecated} on.`]),
    ...(removed === undefined ? [] : [`Not served from ${removed} on.`]),
    ...(replacement === undefined ? [] : [`Use ${replacementLink(replacement, context)} instead.`]),
  ];
  const isAhead = compareReleases(deprecated ?? removed!, context.model.release) > 0;
  return `::: ${isAhead ? "info" : "warning"}\n${sentences.join(" ")}\n:::`;
}

function replacementLink({ group, version, kind }: GroupVersionKind, { addresses, kinds }: KindPageContext): string {
  const text = code(`${apiVersionOf({ group, version })} ${kind}`);
  const found = kinds.find((one) => one.group === group && one.version === version && one.kind === kind);
  return found === undefined ? text : link(text, `/${addresses.pathOf(found.type)}`);
}

function columnsOf(columns: readonly ColumnModel[]): string | undefined {
  if (columns.length === 0) return undefined;
  const isDescribed = columns.some(({ description }) => description !== "");
  const rows = columns.map(({ name, type, priority, path, description }) => [
    escapeCell(name),
    code(type),
    priority > 0 ? "`-o wide`" : "always",
    path === undefined ? "computed" : code(path.replaceAll("|", "\\|")),
    ...(isDescribed ? [escapeCell(description)] : []),
  ]);
  const head = ["column", "type", "shown", "value", ...(isDescribed ? ["description"] : [])];
  return blocks("## Columns of `kubectl get`", table(head, rows)).trimEnd();
}
