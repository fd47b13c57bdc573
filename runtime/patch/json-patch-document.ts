import { goQuote } from "../go/quote.ts";
import { equalJson } from "../lib/equal-json.ts";
import type { Steps } from "../lib/in-turns.ts";
import {
  copySteps,
  getOwn,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonObjectDraft,
  type JsonValue,
  setOwn,
} from "../lib/json-object.ts";
import { PatchError } from "./patch-error.ts";

type Container = JsonObjectDraft | JsonValue[];

/** A location in a document: the container, and the key or index in it as a string. */
interface Place {
  readonly container: Container;
  readonly key: string;
}

/**
 * A document while operations are applied to it. Containers are copied when they first change, and changed in place from then on, so that
 * the cost of a long patch depends on what it changes, not on the size of the document.
 */
export class JsonPatchDocument {
  #root: JsonValue;
  readonly #owned = new Set<Container>();
  /** Copies of objects, made in advance for the next operation. */
  readonly #copies = new Map<JsonObject, JsonObjectDraft>();
  #copyBudget: number;
  #moveBudget: number;

  constructor(root: JsonValue, limits: { readonly maxCopyBytes: number; readonly maxMovedEntries: number }) {
    this.#root = root;
    this.#copyBudget = limits.maxCopyBytes;
    this.#moveBudget = limits.maxMovedEntries;
  }

  get root(): JsonValue {
    return this.#root;
  }

  /** Copies the objects along a path before an operation changes them, in steps between which the caller may pause. */
  *prepareSteps(path: string): Steps<void> {
    let value: JsonValue | undefined = this.#root;
    for (const step of namesIn(path)) {
      if (isJsonArray(value)) {
        value = value[tryIndex(step, value.length) ?? -1];
      } else if (isJsonObject(value)) {
        if (!this.#owned.has(value as Container) && !this.#copies.has(value))
          this.#copies.set(value, yield* copySteps(value));
        value = getOwn(value, step);
      }
    }
  }

  add(path: string, value: JsonValue, operation = "add", told = `error in add for path: '${path}'`): void {
    const { container, key } = this.#writable(path, operation);
    if (!isJsonArray(container)) setOwn(container as JsonObjectDraft, key, value);
    else if (key === "-") (container as JsonValue[]).push(value);
    else this.#splice(container as JsonValue[], indexIn(key, container.length + 1, told, true), 0, value);
  }

  remove(path: string, operation = "remove", told = `error in remove for path: '${path}'`): void {
    const { container, key } = this.#writable(path, operation);
    if (isJsonArray(container)) {
      this.#splice(container as JsonValue[], indexIn(key, container.length, told), 1);
    } else {
      if (!Object.hasOwn(container, key)) throw missing(`${told}: Unable to remove nonexistent key: ${key}`);
      delete container[key];
    }
  }

  #splice(list: JsonValue[], index: number, removed: number, ...added: readonly JsonValue[]): void {
    this.#moveBudget -= list.length - index;
    if (this.#moveBudget < 0) {
      const limit = "the number of list entries to move exceeds the limit";
      throw new PatchError("PatchNotApplicable", `Unable to complete the patch, ${limit}`);
    }
    list.splice(index, removed, ...added);
  }

  replace(path: string, value: JsonValue): void {
    if (path === "") {
      // A value that is neither an object nor a list is ignored without an error.
      if (isJsonObject(value) || isJsonArray(value)) this.#root = value;
      return;
    }
    const { container, key } = this.#writable(path, "replace");
    if (isJsonArray(container)) {
      const index = tryIndex(key, container.length);
      if (index === undefined) throw missing(`replace operation does not apply: doc is missing key: ${path}`);
      (container as JsonValue[])[index] = value;
    } else setOwn(container as JsonObjectDraft, key, value);
  }

  move(from: string, path: string): void {
    const told = `error in move for path: '${namesIn(from).at(-1) ?? ""}'`;
    const value = this.#read(from, "move", told);
    this.remove(from, "move", told);
    this.add(path, value ?? null, "move", `error in move for path: '${path}'`);
  }

  /** Copies a value. Parts that this document owns are copied deeply, because a copy must not change with its origin. */
  copy(from: string, path: string): void {
    const value = this.#read(from, "copy", `error in copy for from: '${from}'`) ?? null;
    this.#touch(from);
    this.#writable(path, "copy");
    this.add(path, this.#deepCopy(value), "copy", "error while adding value during copy");
  }

  test(path: string, expected: JsonValue): void {
    const actual = path === "" ? this.#root : this.#read(path, "test", `error in test for path: '${path}'`);
    if (!equalJson(actual ?? null, expected)) {
      throw new PatchError("PatchNotApplicable", `testing value ${path} failed: test failed`);
    }
    this.#touch(path);
  }

  /** Treats the containers on the path to a read value as changed: they are copied, and thus printed with sorted keys. */
  #touch(path: string): void {
    if (path !== "") this.#writable(path, "");
  }

  /** The value at a path; undefined for an absent member of an object. */
  #read(path: string, operation: string, told: string): JsonValue | undefined {
    const steps = stepsOf(path, operation, "origin");
    let value: JsonValue | undefined = this.#root;
    steps.forEach((step, depth) => {
      if (isJsonArray(value)) {
        const isLast = depth === steps.length - 1;
        value = isLast ? value[indexIn(step, value.length, told)] : value[tryIndex(step, value.length) ?? -1];
      } else if (isJsonObject(value)) {
        value = getOwn(value, step);
      } else {
        throw missingPath(operation, path, "origin");
      }
    });
    return value;
  }

  /** The location at a path. Makes this document own all containers on the path. */
  #writable(path: string, operation: string): Place {
    const steps = stepsOf(path, operation, "target");
    const key = steps.pop() as string;
    let container = this.#own(this.#root);
    if (container !== undefined) this.#root = container as JsonValue;
    for (const step of steps) {
      if (container === undefined) break;
      container = this.#ownChild(container, step);
    }
    if (container === undefined) throw missingPath(operation, path, "target");
    return { container, key };
  }

  #ownChild(parent: Container, step: string): Container | undefined {
    if (isJsonArray(parent)) {
      const index = tryIndex(step, parent.length);
      const child = index === undefined ? undefined : this.#own(parent[index]);
      if (index !== undefined && child !== undefined) (parent as JsonValue[])[index] = child as JsonValue;
      return child;
    }
    const child = this.#own(getOwn(parent, step));
    if (child !== undefined) setOwn(parent as JsonObjectDraft, step, child as JsonValue);
    return child;
  }

  #own(value: JsonValue | undefined): Container | undefined {
    if (!isJsonObject(value) && !isJsonArray(value)) return undefined;
    if (this.#owned.has(value as Container)) return value as Container;
    const copy: Container = isJsonArray(value) ? [...value] : (this.#copies.get(value) ?? { ...value });
    // If the same object also occurs elsewhere, that occurrence gets its own copy.
    if (this.#copies.size > 0) this.#copies.delete(value as JsonObject);
    this.#owned.add(copy);
    return copy;
  }

  #deepCopy(value: JsonValue): JsonValue {
    if (isJsonArray(value)) {
      this.#spend(2 + value.length);
      const items = value.map((item) => this.#deepCopy(item));
      return this.#owned.has(value as Container) ? items : value;
    }
    if (isJsonObject(value)) {
      const copy: JsonObjectDraft | undefined = this.#owned.has(value as Container) ? {} : undefined;
      this.#spend(2);
      for (const key of Object.keys(value)) {
        this.#spend(key.length + 4);
        const member = this.#deepCopy(value[key] as JsonValue);
        if (copy !== undefined) setOwn(copy, key, member);
      }
      return copy ?? value;
    }
    this.#spend(typeof value === "string" ? Buffer.byteLength(value) + 2 : String(value).length);
    return value;
  }

  #spend(bytes: number): void {
    this.#copyBudget -= bytes;
    if (this.#copyBudget < 0) {
      const limit = "the accumulated size increase of copy exceeds the limit";
      throw new PatchError("PatchNotApplicable", `Unable to complete the copy, ${limit}`);
    }
  }
}

/** Keys and indexes after the first slash. Throws PatchError if there are none. */
function stepsOf(path: string, operation: string, role: PathRole): string[] {
  const steps = namesIn(path);
  if (steps.length === 0) throw missingPath(operation, path, role);
  return steps;
}

/** Whether a path is the source or the target of an operation. */
type PathRole = "origin" | "target";

/** The error of Kubernetes for a missing path, which differs for each operation. */
function missingPath(operation: string, path: string, role: PathRole): PatchError {
  const which = role === "origin" ? "from " : "destination ";
  const told: Readonly<Record<string, string>> = {
    replace: `doc is missing path: ${path}`,
    test: `is missing path: ${path}`,
    move: `doc is missing ${which}path: ${path}`,
    copy: `doc is missing ${which}path: ${path}`,
  };
  return missing(`${operation} operation does not apply: ${told[operation] ?? `doc is missing path: "${path}"`}`);
}

/** Go's reader follows as many levels: no document nests deeper. A path of a megabyte would have a million steps. */
const MOST_STEPS = 10_000;

function namesIn(path: string): string[] {
  const [, ...names] = path.split("/", MOST_STEPS + 2);
  if (names.length > MOST_STEPS) throw missing(`a path with more than ${MOST_STEPS} steps`);
  return path.includes("~") ? names.map((name) => name.replace(/~[01]/g, unescaped)) : names;
}

function unescaped(code: string): string {
  return code === "~1" ? "/" : "~";
}

/** Parses an index below `length`. Throws a PatchError whose message starts with `told`. */
function indexIn(text: string, length: number, told: string, isNew = false): number {
  const index = tryIndex(text, length);
  if (index !== undefined) return index;
  const isNumber = /^[+-]?\d+$/.test(text);
  const problem = isNumber
    ? `Unable to access invalid index: ${Number(text)}: invalid index referenced`
    : `${isNew ? `value was not a proper array index: '${text}': ` : ""}strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`;
  throw new PatchError("PatchNotApplicable", `${told}: ${problem}`);
}

/** Parses an index. Negative ones count from the end. Undefined if it is invalid. */
function tryIndex(text: string, length: number): number | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const index = Number(text) < 0 ? Number(text) + length : Number(text);
  return index >= 0 && index < length ? index : undefined;
}

function missing(message: string): PatchError {
  return new PatchError("PatchNotApplicable", `${message}: missing value`);
}
