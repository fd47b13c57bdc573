/** `1 definition`, `2 definitions`. `many` is the plural if it is not the noun with an s. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
