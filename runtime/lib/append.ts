/** Appends items to a list. `push(...more)` passes each as an argument, which overflows the stack if a peer sends very many. */
export function append<T>(list: T[], more: Iterable<T>): void {
  for (const one of more) list.push(one);
}
