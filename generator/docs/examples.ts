import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { apiVersionOf } from "../../runtime/contract/group-version.ts";
import type { Model } from "../model/model.ts";
import { compareVersions } from "../model/versions.ts";
import { skeletonOf } from "./skeleton.ts";

/** Identifies a kind in a version, as in examples. */
interface Named {
  readonly kind: string;
  readonly group: string;
  readonly version: string;
}

/** Example manifests of kinds, from `api-definitions/<group>/examples.yaml`. */
export class Examples {
  readonly #texts = new Map<string, string>();

  static async load(root: string): Promise<Examples> {
    const examples = new Examples();
    const definitions = join(root, "api-definitions");
    const folders = (await readdir(definitions, { withFileTypes: true })).filter((entry) => entry.isDirectory());
    const read = (folder: string): Promise<string> =>
      readFile(join(definitions, folder, "examples.yaml"), "utf8").catch(() => "");
    for (const text of await Promise.all(folders.map(({ name }) => read(name)))) examples.#add(text);
    return examples;
  }

  #add(file: string): void {
    for (const text of file.split(/^---\n/m)) {
      const apiVersion = /^apiVersion: (\S+)$/m.exec(text)?.[1];
      const kind = /^kind: (\S+)$/m.exec(text)?.[1];
      if (apiVersion !== undefined && kind !== undefined) this.#texts.set(`${apiVersion} ${kind}`, text.trim());
    }
  }

  /**
   * Returns the example for this version of the kind. Without one, returns the example of the most stable other version, with this
   * `apiVersion`. Versions with different fields need examples of their own.
   */
  find({ group, version, kind }: Named): string | undefined {
    const exact = this.#texts.get(`${apiVersionOf({ group, version })} ${kind}`);
    if (exact !== undefined) return exact;
    const prefix = group === "" ? "" : `${group}/`;
    const others = [...this.#texts.keys()].flatMap((name) => {
      const [apiVersion = "", otherKind] = name.split(" ");
      const isSibling = otherKind === kind && apiVersion === `${prefix}${apiVersion.slice(prefix.length)}`;
      const other = apiVersion.slice(prefix.length);
      return isSibling && !other.includes("/") ? [other] : [];
    });
    const [best] = others.sort(compareVersions);
    if (best === undefined) return undefined;
    const text = this.#texts.get(`${prefix}${best} ${kind}`)!;
    return text.replace(/^apiVersion: .*$/m, `apiVersion: ${prefix}${version}`);
  }

  /** Returns the example of a kind, or, if there is none, its required fields with values of the right types. */
  of(
    model: Model,
    named: Named & { readonly type: Parameters<typeof skeletonOf>[2]; readonly namespaced: boolean },
  ): string {
    return this.find(named) ?? skeletonOf(model, named, named.type);
  }
}
