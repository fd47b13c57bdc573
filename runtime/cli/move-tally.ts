import { createHash } from "node:crypto";
import type { KnownValue } from "../kinds/moved-values.ts";
import { MoveError } from "../store/move/move-error.ts";
import type { MovedKey } from "../store/move/move-source.ts";

interface Moved extends MovedKey, KnownValue {
  found: boolean;
}

/** Counts and digests of the objects to move, compared with those at the destination. */
export class MoveTally {
  /** By key without the root. */
  readonly #moved = new Map<string, Moved>();
  #sameRevisions = true;

  get total(): number {
    return this.#moved.size;
  }

  /** Whether all compared objects have the same revisions as in the source. */
  get sameRevisions(): boolean {
    return this.#sameRevisions;
  }

  has(name: string): boolean {
    return this.#moved.has(name);
  }

  add({ name, createRevision, modRevision, expires }: MovedKey, { resource, digest }: KnownValue): void {
    this.#moved.set(name, { name, createRevision, modRevision, expires, resource, digest, found: false });
  }

  /** Compares an object at the destination. Throws a MoveError if its key is not in the source, or if its value differs. */
  compare(key: string, name: string, modRevision: number, { digest }: KnownValue): void {
    const moved = this.#moved.get(name);
    if (moved === undefined) throw new MoveError(`${key} is at the destination, but not in the source`);
    if (moved.digest !== digest) throw new MoveError(`${key} at the destination differs from the source`);
    if (moved.modRevision !== modRevision) this.#sameRevisions = false;
    moved.found = true;
  }

  /** Throws a MoveError for an object that is missing at the destination, unless it has expired. */
  checkComplete(keyRoot: string, now: number): void {
    for (const { name, found, expires } of this.#moved.values())
      if (!found && (expires === undefined || expires > now))
        throw new MoveError(`${keyRoot}${name} is missing at the destination`);
  }

  /** Returns one line per resource with its name, the number of its objects and a hash of them. The lines are equal on both sides. */
  describe(): string {
    const byResource = new Map<string, Moved[]>();
    for (const moved of this.#moved.values()) {
      const all = byResource.get(moved.resource) ?? [];
      all.push(moved);
      byResource.set(moved.resource, all);
    }
    return [...byResource]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([resource, all]) => `${resource}: ${all.length} (${hashOf(all)})\n`)
      .join("");
  }
}

function hashOf(all: readonly Moved[]): string {
  const hash = createHash("sha256");
  for (const line of all.map(({ name, digest }) => `${name} ${digest}\n`).sort()) hash.update(line);
  return hash.digest("hex").slice(0, 16);
}
