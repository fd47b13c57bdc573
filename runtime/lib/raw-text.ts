/** JSON text of a value as it was given, members in their order; integers of any size. */
export function rawText(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === "bigint" ? rawJson(member.toString()) : member,
  );
}

/** `JSON.rawJSON` prints its text as it stands; TypeScript's library does not know it yet. */
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;
