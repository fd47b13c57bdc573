import { APPLY, type Body, create, type LargeInput, list, map, send, THINGS, TOO_LARGE, thing } from "./requests.ts";

const OWNED_BY_FIELD = new Set([
  "a map of 110,000 strings",
  "a map of 60,000 floats",
  "60,000 objects with keys",
  "free fields",
]);

type Spec = readonly [what: string, spec: (value: string) => Body];

export function customObjects(): LargeInput[] {
  const specs: readonly Spec[] = [
    ["a map of 110,000 strings", () => ({ map: map(110_000, () => "") })],
    ["a map of 50,000 strings", (value) => ({ map: map(50_000, () => value) })],
    ["a map of 60,000 floats", (value) => ({ floats: map(60_000, (index) => index + (value === "v" ? 0.5 : 0.25)) })],
    ["200,000 strings", (value) => ({ strings: list(200_000, () => value) })],
    ["60,000 objects", (value) => ({ objects: list(60_000, (index) => ({ a: value, b: index })) })],
    ["60,000 objects with keys", (value) => ({ keyed: list(60_000, (index) => ({ name: `n${index}${value}` })) })],
    ["free fields", (value) => ({ free: map(50_000, (index) => ({ a: value, b: index })) })],
  ];
  const tooLarge = { map: map(200_000, () => "") };
  return [
    {
      ...create("a custom object that is too large", THINGS, (name) => thing(name, tooLarge)),
      status: TOO_LARGE,
    },
    ...specs.flatMap(inputsOf),
  ];
}

function inputsOf([what, spec]: Spec): LargeInput[] {
  return [
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
      // The managedFields of so many fields exceed the size limit, and applied objects are not stored without them.
      ...(OWNED_BY_FIELD.has(what) && { status: TOO_LARGE }),
    },
  ];
}
