/**
 * Describes how a property changed, as a verb phrase that follows the name of the element: `lost its default 1`. In the past tense, so that
 * "since release 1.33" can follow. Undefined if nothing changed.
 */
export function propertyChange(property: string, old: string | undefined, now: string | undefined): string | undefined {
  if (old === now) return undefined;
  if (old === undefined) return `got the ${property} ${now}`;
  if (now === undefined) return `lost the ${property} ${old}`;
  return `changed its ${property} from ${old} to ${now}`;
}

/** Like `propertyChange`, for a limit, which is raised or lowered. */
export function limitChange(limit: string, old: number | undefined, now: number | undefined): string | undefined {
  if (old === undefined || now === undefined || old === now) return propertyChange(limit, text(old), text(now));
  return `${now > old ? "raised" : "lowered"} its ${limit} from ${old} to ${now}`;
}

/** Like `propertyChange`, for an event in a release. */
export function dateChange(
  words: { readonly event: string; readonly came: string; readonly went: string },
  old: string | undefined,
  now: string | undefined,
): string | undefined {
  if (old === now) return undefined;
  if (old === undefined) return `${words.came} ${now}`;
  if (now === undefined) return `${words.went} ${old})`;
  return `moved its ${words.event} from ${old} to ${now}`;
}

/** Returns the `names` that are not in `list`. */
export function missingFrom(list: readonly string[] = [], names: readonly string[] = []): string[] {
  return names.filter((name) => !list.includes(name));
}

export function present(sentences: readonly (string | undefined)[]): string[] {
  return sentences.filter((sentence) => sentence !== undefined);
}

/** `A`, `A and B`, `A, B and C` */
export function enumerate(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function text(value: number | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}
