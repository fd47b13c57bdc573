import { expect, it } from "vitest";
import { type OwnedField, ownersView } from "../../runtime/apply/owners-view.ts";
import { apply, steps, update } from "./fixtures/steps.ts";
import { THING } from "./fixtures/thing.ts";

const printOwners = ({ owners }: OwnedField) =>
  owners.map(({ manager, operation }) => (operation === "Apply" ? manager : `${manager} (Update)`)).join(", ");

it("lists every leaf with its value, who owns it, how and since when", () => {
  const { live } = steps(
    apply("alpha", { text: "a", entries: [{ name: "x", value: "1" }], set: ["s"] }),
    apply("beta", { text: "a", labels: { k: "v" } }, { with: { metadata: { labels: { app: "web" } } } }),
    update(
      "gamma",
      {
        text: "a",
        entries: [{ name: "x", value: "2", nested: {} }],
        set: ["s"],
        labels: { k: "v" },
        list: ["l"],
      },
      { with: { metadata: { labels: { app: "web" } }, status: { phase: "Ready" } } },
    ),
  );
  const rows = ownersView(live, THING).map((row) => [row.path, row.value, printOwners(row)]);
  expect(rows).toEqual([
    [".metadata.labels.app", "web", "beta"],
    [".status.phase", "Ready", "gamma (Update)"],
    [".spec.text", "a", "alpha, beta"],
    ['.spec.entries[name="x"].name', "x", "alpha"],
    ['.spec.entries[name="x"].value', "2", "gamma (Update)"],
    ['.spec.entries[name="x"].nested', {}, "gamma (Update)"],
    ['.spec.set[="s"]', "s", "alpha"],
    [".spec.labels.k", "v", "beta"],
    [".spec.list", ["l"], "gamma (Update)"],
  ]);
  expect(ownersView(live, THING)[3]?.owners).toEqual([
    {
      manager: "alpha",
      operation: "Apply",
      apiVersion: "example.com/v1",
      subresource: "",
      time: "1970-01-01T00:00:01Z",
    },
  ]);
});

it("shows fields without an owner", () => {
  const object = { apiVersion: "example.com/v1", kind: "Thing", metadata: { name: "one" }, spec: { text: "a" } };
  expect(ownersView(object, THING)).toEqual([{ path: ".spec.text", value: "a", owners: [] }]);
});
