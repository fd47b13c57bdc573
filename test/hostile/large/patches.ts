import {
  APPLY,
  type Body,
  CONFIG_MAPS,
  collection,
  configMap,
  type LargeInput,
  list,
  MERGE,
  map,
  STRATEGIC,
  send,
  TOO_LARGE,
} from "./requests.ts";

const DEPLOYMENTS = collection("deployments", "apis/apps/v1");
const MANY = 100_000;

const variables = (length: number, value = "v") => list(length, (index) => ({ name: `E${index}`, value }));
const deployment = (name: string, env: readonly Body[]): Body => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name },
  spec: {
    selector: { matchLabels: { a: "b" } },
    template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "a", image: "a", env }] } },
  },
});

/** Patches with errors at many positions, and patches of long nested lists. */
export function patches(): LargeInput[] {
  return [...wrongPatches(), ...longLists(), ...unownedFields()];
}

function wrongPatches(): LargeInput[] {
  const stored = `${CONFIG_MAPS}/stored`;
  const wrong = map(MANY, () => 1);
  return [
    ...(
      [
        ["strategic", STRATEGIC],
        ["merge", MERGE],
      ] as const
    ).flatMap(([kind, type]): LargeInput[] => [
      {
        what: `${kind} patch with 100,000 wrong values`,
        make: () => send("PATCH", stored, { data: wrong }, type),
        status: 422,
      },
      { what: `${kind} patch with 100,000 unknown fields`, make: () => send("PATCH", stored, wrong, type) },
    ]),
    {
      what: "merge patch with 100,000 unknown fields, one of them a number",
      make: () => send("PATCH", stored, { ...wrong, 7: 1 }, MERGE),
    },
    {
      what: "create a ConfigMap with 100,000 wrong values",
      make: (attempt) => send("POST", CONFIG_MAPS, { metadata: { name: `w${attempt}` }, data: wrong }),
      status: 400,
    },
    {
      what: "create a ConfigMap with 100,000 unknown fields",
      make: (attempt) => send("POST", CONFIG_MAPS, { metadata: { name: `u${attempt}` }, ...wrong }),
    },
  ];
}

function longLists(): LargeInput[] {
  const before = (length: number) => (attempt: number) => [
    send("POST", DEPLOYMENTS, deployment(`e${attempt}`, variables(length))),
  ];
  const more = (type: string) => (attempt: number) =>
    send("PATCH", `${DEPLOYMENTS}/e${attempt}`, { spec: deployment("", variables(70_000)).spec }, type);
  const apply = (attempt: number, manager: string, length: number, value: string) =>
    send(
      "PATCH",
      `${DEPLOYMENTS}/e${attempt}?fieldManager=${manager}`,
      deployment(`e${attempt}`, variables(length, value)),
      APPLY,
    );
  return [
    { what: "strategic patch with 70,000 variables of a Deployment", before: before(1), make: more(STRATEGIC) },
    { what: "merge patch with 70,000 variables of a Deployment", before: before(1), make: more(MERGE) },
    {
      what: "apply 70,000 variables to a Deployment",
      before: before(1),
      make: (attempt) => apply(attempt, "x", 70_000, "v"),
      status: TOO_LARGE,
    },
    {
      what: "apply other variables to a Deployment, with conflicts",
      before: (attempt) => [apply(attempt, "a", 10_000, "v")],
      make: (attempt) => apply(attempt, "c", 10_000, "w"),
      status: 409,
    },
  ];
}

/** The first apply to an object without managedFields records an owner for all of its fields. */
function unownedFields(): LargeInput[] {
  return [
    {
      what: "apply one key of a ConfigMap without owners",
      make: (attempt) =>
        send(
          "PATCH",
          `${CONFIG_MAPS}/bare?fieldManager=y`,
          { ...configMap("bare", 0), data: { one: `${attempt}` } },
          APPLY,
        ),
      status: TOO_LARGE,
    },
  ];
}
