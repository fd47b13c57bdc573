import type { ListType, MapType, MergeType, ScalarType } from "../../contract/merge-schema.ts";
import { goFormatted, goSyntax, goType, goValue } from "../../go/format.ts";
import { sortUtf8, sortUtf8Steps } from "../../lib/compare-utf8.ts";
import type { Steps } from "../../lib/in-turns.ts";
import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  MEMBERS_PER_STEP,
} from "../../lib/json-object.ts";
import { fieldElement, indexElement, type PathElement, printElement } from "../fieldpath/path-element.ts";
import { itemElement, ListItemError } from "./list-items.ts";
import { shapeOf, typeOfKey } from "./shape.ts";

export interface TypeMismatch {
  /** Path as messages show it, such as `.spec.ports[port=80]`. Empty for the value as a whole. */
  readonly path: string;
  readonly message: string;
}

export interface ValidateOptions {
  /** Whether entries may be repeated: in stored objects they may, in configurations they may not. */
  readonly allowDuplicates?: boolean;
}

/** Returns the errors of a value against a type. Null is valid for every type. */
export function validate(type: MergeType, value: JsonValue, options: ValidateOptions = {}): TypeMismatch[] {
  const errors: TypeMismatch[] = [];
  new Validation(options.allowDuplicates === true, errors).check(type, value);
  return errors;
}

/** Like `validate`, for a large value; can be interrupted. */
export function* validateSteps(
  type: MergeType,
  value: JsonValue,
  options: ValidateOptions = {},
): Steps<TypeMismatch[]> {
  const errors: TypeMismatch[] = [];
  yield* new Validation(options.allowDuplicates === true, errors).checkSteps(type, value);
  return errors;
}

/** Prints all errors in one message, in the format of structured merge. */
export function printTypeMismatches(errors: readonly TypeMismatch[]): string {
  const lines = errors.map((error) => (error.path === "" ? error.message : `${error.path}: ${error.message}`));
  return lines.length === 1 ? (lines[0] as string) : ["errors:", ...lines.map((line) => `  ${line}`)].join("\n");
}

class Validation {
  readonly #allowDuplicates: boolean;
  readonly #errors: TypeMismatch[];
  readonly #path: PathElement[] = [];
  /** Number of fields and items that were visited in steps so far. */
  #visited = 0;

  constructor(allowDuplicates: boolean, errors: TypeMismatch[]) {
    this.#allowDuplicates = allowDuplicates;
    this.#errors = errors;
  }

  check(type: MergeType, value: JsonValue): void {
    // A value whose type is deduced from it is always valid.
    if (value === null || type.kind === "untyped") return;
    const shape = shapeOf(type, value);
    if (shape.kind === "scalar") this.#checkScalar(shape, value);
    else if (shape.kind === "list") this.#checkList(shape, value);
    else this.#checkMap(shape, value);
  }

  /** Like `check`, for a large value. */
  *checkSteps(type: MergeType, value: JsonValue): Steps<void> {
    const shape = value === null || type.kind === "untyped" ? undefined : shapeOf(type, value);
    if (shape?.kind === "list" && isJsonArray(value)) yield* this.#checkListSteps(shape, value);
    else if (shape?.kind === "map" && isJsonObject(value)) yield* this.#checkMapSteps(shape, value);
    else this.check(type, value);
  }

  #checkScalar(type: ScalarType, value: JsonValue): void {
    const isScalar = !isJsonArray(value) && !isJsonObject(value);
    if (type.of === "any") {
      if (!isScalar) this.#report(`expected any scalar, got &{${goValue(value)}}`);
    } else if (type.of === "number") {
      if (!isNumber(value)) {
        this.#report(`expected numeric (int or float), got ${goType(value)}`);
      }
    } else if (type.of === "string") {
      if (typeof value !== "string")
        this.#report(`expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`);
    } else if (typeof value !== "boolean") {
      this.#report(`expected boolean, got &{${goValue(value)}}`);
    }
  }

  #checkMap(map: MapType, value: JsonValue): void {
    if (!isJsonObject(value)) {
      this.#report(goFormatted(`expected map, got &{${goValue(value)}}`));
      return;
    }
    const keys = Object.keys(value);
    if (holdsStrings(map, value, keys)) return;
    // Stops at the first undeclared field.
    for (const key of sortUtf8(keys)) {
      const type = this.#enterField(map, value, key);
      if (type === undefined) return;
      if (type === FINE) continue;
      this.check(type, value[key] as JsonValue);
      this.#path.pop();
    }
  }

  *#checkMapSteps(map: MapType, value: JsonObject): Steps<void> {
    const keys = Object.keys(value);
    if (yield* holdsStringsSteps(map, value, keys)) return;
    for (const key of yield* sortUtf8Steps(keys)) {
      const type = this.#enterField(map, value, key);
      if (type === undefined) return;
      if (this.#isStep()) yield;
      if (type === FINE) continue;
      yield* this.checkSteps(type, value[key] as JsonValue);
      this.#path.pop();
    }
  }

  /**
   * Appends a field to the path and returns its type. Returns FINE, without changing the path, if the value needs no further check. Reports an
   * undeclared field and returns undefined.
   */
  #enterField(map: MapType, value: JsonObject, key: string): MergeType | typeof FINE | undefined {
    const type = typeOfKey(map, key);
    if (isStringOf(type, value[key])) return FINE;
    this.#path.push(fieldElement(key));
    if (type !== undefined) return type;
    this.#report("field not declared in schema");
    this.#path.pop();
    return undefined;
  }

  #checkList(list: ListType, value: JsonValue): void {
    if (!isJsonArray(value)) {
      this.#report(goFormatted(`expected list, got &{${goValue(value)}}`));
      return;
    }
    const seen = new Set<PathElement>();
    for (let index = 0; index < value.length; index++) {
      const item = value[index] as JsonValue;
      if (isPlainItem(list, item)) continue;
      if (!this.#enterItem(list, item, index, seen)) return;
      this.check(list.element, item);
      this.#path.pop();
    }
  }

  *#checkListSteps(list: ListType, items: JsonArray): Steps<void> {
    const seen = new Set<PathElement>();
    for (let index = 0; index < items.length; index++) {
      const item = items[index] as JsonValue;
      if (this.#isStep()) yield;
      if (isPlainItem(list, item)) continue;
      if (!this.#enterItem(list, item, index, seen)) return;
      yield* this.checkSteps(list.element, item);
      this.#path.pop();
    }
  }

  /** Appends an item to the path and reports it if its path is repeated. Reports an item without an element and returns false. */
  #enterItem(list: ListType, item: JsonValue, index: number, seen: Set<PathElement>): boolean {
    const element = list.topology === "atomic" ? indexElement(index) : this.#elementOf(list, item, index);
    if (element === undefined) return false;
    if (list.topology !== "atomic" && !this.#allowDuplicates) {
      if (seen.has(element)) this.#report(`duplicate entries for key ${printElement(element)}`);
      seen.add(element);
    }
    this.#path.push(element);
    return true;
  }

  #isStep(): boolean {
    return ++this.#visited % MEMBERS_PER_STEP === 0;
  }

  #elementOf(list: ListType, item: JsonValue, index: number): PathElement | undefined {
    try {
      return itemElement(list, item);
    } catch (error) {
      if (!(error instanceof ListItemError)) throw error;
      this.#report(`element ${index}: ${error.message}`);
      return undefined;
    }
  }

  #report(message: string): void {
    this.#errors.push({ path: this.#path.map((element) => printElement(element)).join(""), message });
  }
}

/** Result for a field that holds a string, as declared. */
const FINE = Symbol("fine");

/** Whether a map has no declared fields and contains only strings, as declared. */
function holdsStrings(map: MapType, value: JsonObject, keys: readonly string[]): boolean {
  return map.fields.size === 0 && keys.every((key) => isStringOf(map.element, value[key]));
}

/** Like `holdsStrings`, for a long map; can be interrupted. */
function* holdsStringsSteps(map: MapType, value: JsonObject, keys: readonly string[]): Steps<boolean> {
  if (keys.length < MEMBERS_PER_STEP || map.fields.size > 0) return holdsStrings(map, value, keys);
  for (let i = 0; i < keys.length; i++) {
    if (i % MEMBERS_PER_STEP === 0) yield;
    if (!isStringOf(map.element, value[keys[i] as string])) return false;
  }
  return true;
}

/** Whether an item of an atomic list is a string or number, as declared. */
function isPlainItem({ topology, element }: ListType, item: JsonValue): boolean {
  if (topology !== "atomic") return false;
  return (
    isStringOf(element, item) || (typeof item === "number" && element.kind === "scalar" && element.of === "number")
  );
}

/** Whether a value is a string, as declared. This applies to most values of long maps and lists, which then need no path. */
function isStringOf(type: MergeType | undefined, value: unknown): boolean {
  return typeof value === "string" && type !== undefined && type.kind === "scalar" && type.of === "string";
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" || typeof value === "bigint" || value instanceof Number;
}
