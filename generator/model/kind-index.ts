import type { DefinitionFile } from "../reader/syntax.ts";
import type { GroupVersion, GroupVersionKind, TypeRef } from "./contract.ts";
import type { GroupModel } from "./model.ts";
import { moduleOf } from "./names.ts";

/** Parses `group/version Kind`, `version Kind` (the core group) or `Kind` (in the group and version `beside`). */
export function parseKindReference(text: string, beside: GroupVersion): GroupVersionKind | undefined {
  const [first = "", second] = text.trim().split(/\s+/);
  if (second === undefined) return first === "" ? undefined : { ...beside, kind: first };
  const slash = first.lastIndexOf("/");
  return { group: slash === -1 ? "" : first.slice(0, slash), version: first.slice(slash + 1), kind: second };
}

/** Finds types by references to kinds as definitions write them. A group is named by its name or its folder. */
export class KindIndex {
  readonly #types = new Map<string, { kind: GroupVersionKind; type: TypeRef }>();
  readonly #references: string[] = [];

  constructor(files: readonly DefinitionFile[], groups: readonly GroupModel[]) {
    const byFolder = new Map(groups.map((group) => [group.folder, group]));
    for (const file of files) {
      const module = moduleOf(file.path);
      const [folder = "", version] = module.split("/");
      const group = byFolder.get(folder);
      if (group === undefined || version === undefined) continue;
      for (const { name } of file.types) {
        const entry = { kind: { group: group.name, version, kind: name }, type: `${module}.${name}` as const };
        this.#types.set(key(group.name, version, name), entry);
        this.#types.set(key(folder, version, name), entry);
        this.#references.push(`${group.name === "" ? "" : `${group.name}/`}${version} ${name}`);
      }
    }
  }

  find(reference: string, beside: GroupVersion = { group: "", version: "" }) {
    const parsed = parseKindReference(reference, beside);
    return parsed && this.#types.get(key(parsed.group, parsed.version, parsed.kind));
  }

  references(): readonly string[] {
    return this.#references;
  }
}

function key(group: string, version: string, kind: string): string {
  return `${group}/${version} ${kind}`;
}
