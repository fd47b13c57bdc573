import { keysOfView } from "../encoding/json/ordered-view.ts";
import type { Steps } from "../lib/in-turns.ts";
import { isJsonArray, isJsonObject } from "../lib/json-object.ts";
import { requestEntityTooLarge } from "../values/status-errors.ts";

/**
 * Maximum number of JSON objects in one object of a built-in kind, at any depth. An empty entry of a list takes two or three bytes of a
 * body, but its defaults and errors take thousands of bytes and microseconds.
 */
const MOST_OBJECTS = 100_000;
/** Values counted in one step. */
const VALUES_PER_STEP = 10_000;

/**
 * Throws 413 if an object, decoded or not, contains too many objects. An entry that is null counts, because it is decoded as an empty
 * object. The field sets in managedFields do not count: they contain an object for each field.
 */
export function* limitObjectsSteps(object: unknown): Steps<void> {
  const open: unknown[] = [object];
  let [objects, values] = [0, 0];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (isJsonArray(next)) {
      for (const item of next) {
        if (item === null) objects += 1;
        else if (typeof item === "object") open.push(item);
      }
    } else if (isJsonObject(next)) {
      objects += 1;
      // For an object with many keys, `Object.values` takes three times as long, in a single step.
      for (const key of keysOfView(next) ?? Object.keys(next)) {
        const value = next[key];
        if (typeof value === "object" && value !== null && key !== "fieldsV1") open.push(value);
        if (++values % VALUES_PER_STEP === 0) yield;
      }
    }
    if (objects > MOST_OBJECTS) throw requestEntityTooLarge(`the object has more than ${MOST_OBJECTS} objects in it`);
    values += 1;
    if (values % VALUES_PER_STEP === 0) yield;
  }
}
