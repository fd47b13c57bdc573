import type { ListType, MapType, MergeType, ScalarType } from "../../contract/merge-schema.ts";
import { goFormatted, goSyntax, goType, goValue } from "../../go/format.ts";
import { sortUtf8 } from "../../lib/compare-utf8.ts";
import { isJsonArray, isJsonObject, type JsonArray, type JsonValue } from "../../lib/json-object.ts";
import { fieldElement, indexElement, type PathElement, printElement } from "../fieldpath/path-element.ts";
import { itemElement, ListItemError } from "./list-items.ts";
import { shapeOf, typeOfKey } from "./shape.ts";

export interface TypeMismatch {
  /** As messages show it: `.spec.ports[port=80]`; empty for the value as a whole. */
  readonly path: string;
  readonly message: string;
}

export interface ValidateOptions {
  /** Stored objects may hold entries twice; configurations may not. */
  readonly allowDuplicates?: boolean;
}

/** What is wrong with a value that should be of a type. Null is good for every type. */
export function validate(type: MergeType, value: JsonValue, options: ValidateOptions = {}): TypeMismatch[] {
  const errors: TypeMismatch[] = [];
  new Validation(options.allowDuplicates === true, errors).check(type, value);
  return errors;
}

/** All errors in one message, in the format of structured merge. */
export function printTypeMismatches(errors: readonly TypeMismatch[]): string {
  const lines = errors.map((error) => (error.path === "" ? error.message : `${error.path}: ${error.message}`));
  return lines.length === 1 ? (lines[0] as string) : ["errors:", ...lines.map((line) => `  ${line}`)].join("\n");
}

class Validation {
  readonly #allowDuplicates: boolean;
  readonly #errors: TypeMismatch[];
  readonly #path: PathElement[] = [];

  constructor(allowDuplicates: boolean, errors: TypeMismatch[]) {
    this.#allowDuplicates = allowDuplicates;
    this.#errors = errors;
  }

  check(type: MergeType, value: JsonValue): void {
    // Nothing can be wrong with a value whose type is deduced from it.
    if (value === null || type.kind === "untyped") return;
    const shape = shapeOf(type, value);
    if (shape.kind === "scalar") this.#checkScalar(shape, value);
    else if (shape.kind === "list") this.#checkList(shape, value);
    else this.#checkMap(shape, value);
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
    if (map.fields.size === 0 && keys.every((key) => isStringOf(map.element, value[key]))) return;
    // Stops at the first field that is not declared.
    for (const key of sortUtf8(keys)) {
      const type = typeOfKey(map, key);
      if (isStringOf(type, value[key])) continue;
      this.#path.push(fieldElement(key));
      if (type === undefined) this.#report("field not declared in schema");
      else this.check(type, value[key] as JsonValue);
      this.#path.pop();
      if (type === undefined) return;
    }
  }

  #checkList(list: ListType, value: JsonValue): void {
    if (!isJsonArray(value)) {
      this.#report(goFormatted(`expected list, got &{${goValue(value)}}`));
      return;
    }
    const items: JsonArray = value;
    if (list.topology === "atomic") {
      this.#checkItems(list, items);
      return;
    }
    const seen = new Set<PathElement>();
    for (let index = 0; index < items.length; index++) {
      const item = items[index] as JsonValue;
      const element = this.#elementOf(list, item, index);
      if (element === undefined) return;
      if (seen.has(element) && !this.#allowDuplicates) {
        this.#report(`duplicate entries for key ${printElement(element)}`);
      }
      seen.add(element);
      this.#path.push(element);
      this.check(list.element, item);
      this.#path.pop();
    }
  }

  /** Of an atomic list. */
  #checkItems({ element }: ListType, items: JsonArray): void {
    for (let index = 0; index < items.length; index++) {
      const item = items[index] as JsonValue;
      if (
        isStringOf(element, item) ||
        (typeof item === "number" && element.kind === "scalar" && element.of === "number")
      )
        continue;
      this.#path.push(indexElement(index));
      this.check(element, item);
      this.#path.pop();
    }
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

/** What most values of long maps and lists are: nothing can be wrong with it, so that it needs no path. */
function isStringOf(type: MergeType | undefined, value: unknown): boolean {
  return typeof value === "string" && type !== undefined && type.kind === "scalar" && type.of === "string";
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" || typeof value === "bigint" || value instanceof Number;
}
