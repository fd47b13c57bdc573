/** Joins messages: a single one is unchanged, several are put in brackets, without duplicates. */
export function aggregateMessages(messages: readonly string[]): string {
  const distinct = [...new Set(messages)];
  return distinct.length === 1 ? (distinct[0] as string) : `[${distinct.join(", ")}]`;
}
