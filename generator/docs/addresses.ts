import type { TypeRef } from "../model/contract.ts";
import type { Model } from "../model/model.ts";
import type { Placement } from "./place-types.ts";

export const CORE = "core";

/** Addresses of pages and sections. */
export class Addresses {
  readonly #model: Model;
  readonly #placement: Placement;

  constructor(model: Model, placement: Placement) {
    this.#model = model;
    this.#placement = placement;
  }

  /** `reference/apps/v1/deployment`: the page of a kind or of a struct with a page of its own. */
  pathOf(ref: TypeRef): string {
    const dot = ref.lastIndexOf(".");
    return `${this.folderOf(ref.slice(0, dot))}/${ref.slice(dot + 1).toLowerCase()}`;
  }

  folderOf(module: string): string {
    const { group, version } = this.#model.modules.get(module) ?? {};
    const isNamed = group !== undefined && !(group.configuration && group.name === "");
    return `reference/${isNamed ? `${group.name || CORE}/${version}` : module}`;
  }

  /** Returns the link to a struct from a page. */
  linkTo(ref: TypeRef, from: TypeRef): string {
    const page = this.#placement.pageOf(ref);
    const section = ref === page ? "" : `#${anchorOf(ref)}`;
    if (page === from) return section === "" ? "#fields" : section;
    return `/${this.pathOf(page)}${section}`;
  }

  has(ref: TypeRef): boolean {
    return this.#placement.pages.includes(this.#placement.pageOf(ref));
  }
}

/** Returns the anchor of a struct's section, or of one of its fields. */
export function anchorOf(ref: TypeRef, field?: string): string {
  const name = ref.slice(ref.lastIndexOf(".") + 1);
  return [name, ...(field === undefined ? [] : [field.replace(/[^A-Za-z0-9]/g, "")])].join("-").toLowerCase();
}
