import { APPLY, type Body, create, type LargeInput, list, map, send, THINGS, TOO_LARGE, thing } from "./requests.ts";

const OWNED_BY_FIELD = new Set(["a map of 110,000 strings", "60,000 objects with keys", "free fields"]);

export function customObjects(): LargeInput[] {
  const specs: readonly [string, (value: string) => Body][] = [
    ["a map of 110,000 strings", () => ({ map: map(110_000, () => "") })],
    ["a map of 50,000 strings", (value) => ({ map: map(50_000, () => value) })],
    ["200,000 strings", (value) => ({ strings: list(200_000, () => value) })],
    ["60,000 objects", (value) => ({ objects: list(60_000, (index) => ({ a: value, b: index })) })],
    ["60,000 objects with keys", (value) => ({ keyed: list(60_000, (index) => ({ name: `n${index}${value}` })) })],
    ["free fields", (value) => ({ free: map(50_000, (index) => ({ a: value, b: index })) })],
  ];
  return specs.flatMap(([what, spec]) => [
    create(`a custom object with ${what}`, THINGS, (name) => thing(name, spec("v"))),
    {
      what: `replace a custom object with ${what}`,
      before: (attempt) => [send("POST", THINGS, thing(`r${attempt}`, { map: map(30_000, () => "") }))],
      make: (attempt, [created = ""]) => {
        const name = `r${attempt}`;
        const { resourceVersion } = (JSON.parse(created) as { metadata: { resourceVersion: string } }).metadata;
        const body = { ...thing(name, spec("w")), metadata: { name, resourceVersion } };
        return send("PUT", `${THINGS}/${name}?fieldManager=x`, body);
      },
    },
    {
      what: `apply a custom object with ${what}`,
      make: (attempt) => send("PATCH", `${THINGS}/y${attempt}?fieldManager=x`, thing(`y${attempt}`, spec("w")), APPLY),
      // Owners of so many fields do not fit, and what is applied is not stored without them.
      ...(OWNED_BY_FIELD.has(what) && { status: TOO_LARGE }),
    },
  ]);
}
