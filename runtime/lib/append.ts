/** Adds to the end of a list. `push(...more)` has an argument for each, which a stack has no room for where a peer chooses how many. */
export function append<T>(list: T[], more: Iterable<T>): void {
  for (const one of more) list.push(one);
}
