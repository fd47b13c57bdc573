import {
  APPLY,
  type Body,
  CONFIG_MAPS,
  configMap,
  JSON_PATCH,
  type LargeInput,
  list,
  MERGE,
  MOST_KEYS,
  map,
  OWNED_KEYS,
  STORED_KEYS,
  STRATEGIC,
  send,
  TOO_LARGE,
} from "./requests.ts";

/** Changes one object with every verb. */
export function changes(): LargeInput[] {
  const stored = `${CONFIG_MAPS}/stored`;
  const patch = (what: string, type: string, make: (attempt: number) => Body | readonly unknown[]): LargeInput => ({
    what: `${what} of a stored ConfigMap`,
    make: (attempt) => send("PATCH", stored, make(attempt), type),
  });
  const tooMuch = () => ({ data: map(MOST_KEYS, () => "", "p") });
  const more = (attempt: number) => ({ data: map(OWNED_KEYS, () => `${attempt}`) });
  return [
    {
      what: "replace a ConfigMap",
      make: (attempt) =>
        send("PUT", stored, { ...configMap("stored", OWNED_KEYS), data: map(OWNED_KEYS, () => `${attempt % 10}`) }),
    },
    {
      what: "replace a ConfigMap with one that is too large",
      make: () => send("PUT", stored, configMap("stored", MOST_KEYS)),
      status: TOO_LARGE,
    },
    {
      what: "create a small ConfigMap with the name of a large one",
      before: (attempt) => [send("POST", CONFIG_MAPS, configMap(`taken${attempt}`, STORED_KEYS))],
      make: (attempt) => send("POST", CONFIG_MAPS, configMap(`taken${attempt}`, 1)),
      status: 409,
    },
    patch("merge patch of one key", MERGE, (attempt) => ({ data: { a: `${attempt}` } })),
    patch("strategic patch of one key", STRATEGIC, (attempt) => ({ data: { a: `${attempt}` } })),
    patch("JSON patch of one key", JSON_PATCH, (attempt) => [{ op: "add", path: "/data/a", value: `${attempt}` }]),
    patch("merge patch of all keys", MERGE, (attempt) => more(attempt % 10)),
    patch("strategic patch of all keys", STRATEGIC, (attempt) => more(attempt % 10)),
    patch("JSON patch of the map", JSON_PATCH, (attempt) => [
      { op: "replace", path: "/data", value: more(attempt % 10).data },
    ]),
    { ...patch("merge patch of too many keys", MERGE, tooMuch), status: TOO_LARGE },
    { ...patch("strategic patch of too many keys", STRATEGIC, tooMuch), status: TOO_LARGE },
    patch("JSON patch of 10,000 operations", JSON_PATCH, (attempt) =>
      list(10_000, (index) => ({ op: "add", path: `/data/k${index}`, value: `${attempt % 10}` })),
    ),
    {
      what: "apply a new ConfigMap",
      make: (attempt) =>
        send("PATCH", `${CONFIG_MAPS}/a${attempt}?fieldManager=a`, configMap(`a${attempt}`, OWNED_KEYS), APPLY),
    },
    {
      what: "apply a new ConfigMap that is too large",
      make: (attempt) =>
        send("PATCH", `${CONFIG_MAPS}/a${attempt}?fieldManager=a`, configMap(`a${attempt}`, MOST_KEYS), APPLY),
      status: TOO_LARGE,
    },
    {
      what: "apply the same ConfigMap again",
      make: () => send("PATCH", `${CONFIG_MAPS}/applied?fieldManager=a`, configMap("applied", OWNED_KEYS), APPLY),
    },
    {
      what: "apply other values by force",
      make: (attempt) =>
        send(
          "PATCH",
          `${CONFIG_MAPS}/applied?fieldManager=b&force=true`,
          { ...configMap("applied", 0), data: map(OWNED_KEYS, () => `${attempt % 10}`) },
          APPLY,
        ),
    },
    {
      what: "apply other values, with conflicts",
      make: () =>
        send(
          "PATCH",
          `${CONFIG_MAPS}/applied?fieldManager=c`,
          { ...configMap("applied", 0), data: map(OWNED_KEYS, () => "c") },
          APPLY,
        ),
      status: 409,
    },
    {
      what: "apply one key of a large ConfigMap",
      make: (attempt) =>
        send(
          "PATCH",
          `${CONFIG_MAPS}/applied?fieldManager=one`,
          { ...configMap("applied", 0), data: { one: `${attempt}` } },
          APPLY,
        ),
    },
    {
      what: "delete a ConfigMap",
      before: (attempt) => [send("POST", CONFIG_MAPS, configMap(`d${attempt}`, OWNED_KEYS))],
      make: (attempt) => send("DELETE", `${CONFIG_MAPS}/d${attempt}`),
    },
  ];
}
