import { METHODS, type Operation } from "./operations.ts";
import type { Parameter } from "./parameters.ts";

/** Groups operations by path. The operations of a path are in the order in which OpenAPI lists methods. */
export function byPath(operations: readonly Operation[]): Map<string, Operation[]> {
  const paths = new Map<string, Operation[]>();
  for (const operation of operations) paths.set(operation.path, [...(paths.get(operation.path) ?? []), operation]);
  for (const group of paths.values()) group.sort((a, b) => METHODS.indexOf(a.method) - METHODS.indexOf(b.method));
  return paths;
}

/** Returns the parameters that all operations of a path share, by name. They are written once, for the path. */
export function commonParameters(operations: readonly Operation[]): Parameter[] {
  const [first, ...rest] = operations;
  if (first === undefined) return [];
  return first.parameters
    .filter((parameter) => rest.every((operation) => operation.parameters.some((other) => same(parameter, other))))
    .sort(byName);
}

/** Whether two entries describe the same parameter. */
function same(a: Parameter, b: Parameter): boolean {
  return a === b || (a.name === b.name && a.in === b.in && a.shared === b.shared && a.description === b.description);
}

/** Returns the parameters that only this operation of its path has, by name. */
export function ownParameters(operation: Operation, common: readonly Parameter[]): Parameter[] {
  return operation.parameters.filter((parameter) => !common.some((other) => same(parameter, other))).sort(byName);
}

function byName(a: Parameter, b: Parameter): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
