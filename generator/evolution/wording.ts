/**
 * How a property of something changed, in words that follow its name: `lost its default 1`. Every sentence is in the past tense, so
 * that it reads on with "since release 1.33". Undefined when nothing changed.
 */
export function propertyChange(property: string, old: string | undefined, now: string | undefined): string | undefined {
  if (old === now) return undefined;
  if (old === undefined) return `got the ${property} ${now}`;
  if (now === undefined) return `lost the ${property} ${old}`;
  return `changed its ${property} from ${old} to ${now}`;
}

/** The same for a limit, which has a direction. */
export function limitChange(limit: string, old: number | undefined, now: number | undefined): string | undefined {
  if (old === undefined || now === undefined || old === now) return propertyChange(limit, text(old), text(now));
  return `${now > old ? "raised" : "lowered"} its ${limit} from ${old} to ${now}`;
}

/** The same for something that happens with a release. */
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

/** What is in one list and not in the other. */
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
