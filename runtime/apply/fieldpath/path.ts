import { fieldElement, type PathElement, printElement } from "./path-element.ts";

/** A path from the root of an object to one of its parts. */
export type Path = readonly PathElement[];

/** Creates a path of field names: `fieldPath("spec", "replicas")`. */
export function fieldPath(...names: readonly string[]): Path {
  return names.map(fieldElement);
}

/** Prints the path of an owned field as messages show it: `.spec.containers[name="main"].image`. */
export function printPath(path: Path): string {
  let text = "";
  for (const element of path) text += printElement(element, true);
  return text;
}
