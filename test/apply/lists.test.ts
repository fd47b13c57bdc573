import { describe, it } from "vitest";
import { apply, force, owners, patch, spec, steps, unchanged, update } from "./fixtures/steps.ts";

const entry = (name: string, value = "1") => ({ name, value });

describe("sets", () => {
  it("contain the union of what managers apply; items that no manager applies are removed", () => {
    steps(
      apply("alpha", { set: ["a", "b"] }),
      apply("beta", { set: ["b", "c"] }),
      spec({ set: ["a", "b", "c"] }),
      owners({ alpha: ['.spec.set[="a"]', '.spec.set[="b"]'], beta: ['.spec.set[="b"]', '.spec.set[="c"]'] }),
      apply("alpha", { set: ["a"] }),
      spec({ set: ["a", "b", "c"] }),
      apply("beta", { set: ["c"] }),
      spec({ set: ["a", "c"] }),
      owners({ alpha: ['.spec.set[="a"]'], beta: ['.spec.set[="c"]'] }),
    );
  });

  it("never conflict", () => {
    steps(
      apply("alpha", { set: ["a"] }),
      apply("beta", { set: ["b", "a"] }),
      spec({ set: ["b", "a"] }),
      apply("alpha", { set: ["a", "z"] }),
      apply("alpha", {}),
      spec({ set: ["b", "a"] }),
    );
  });

  it("distinguish numbers from strings", () => {
    steps(
      apply("alpha", { numbers: [1, 2] }),
      owners({ alpha: [".spec.numbers[=1]", ".spec.numbers[=2]"] }),
      apply("beta", { numbers: [2, 3] }),
      spec({ numbers: [1, 2, 3] }),
      apply("alpha", { numbers: [1] }),
      spec({ numbers: [1, 2, 3] }),
    );
  });

  it("are removed with their last item", () => {
    steps(apply("alpha", { set: ["a"], number: 1 }), apply("alpha", { number: 1 }), spec({ number: 1 }));
  });
});

describe("list maps", () => {
  it("merge entries by key and remove entries that no manager applies", () => {
    steps(
      apply("alpha", { entries: [entry("a"), entry("b")] }),
      apply("beta", { entries: [entry("c")] }),
      spec({ entries: [entry("a"), entry("b"), entry("c")] }),
      apply("alpha", { entries: [entry("b")] }),
      spec({ entries: [entry("b"), entry("c")] }),
      apply("alpha", {}),
      spec({ entries: [entry("c")] }),
    );
  });

  it("keep fields of other managers in an entry that its owner no longer applies", () => {
    steps(
      apply("alpha", { entries: [{ name: "a", value: "1" }] }),
      apply("beta", { entries: [{ name: "a", count: 2 }] }),
      spec({ entries: [{ name: "a", value: "1", count: 2 }] }),
      apply("alpha", {}),
      spec({ entries: [{ name: "a", count: 2 }] }),
      owners({ beta: ['.spec.entries[name="a"]', '.spec.entries[name="a"].count', '.spec.entries[name="a"].name'] }),
    );
  });

  it("keep fields without an owner in an entry that stays", () => {
    steps(
      update("server", { entries: [{ name: "a", value: "1", count: 5 }] }),
      apply("alpha", { entries: [{ name: "a" }] }),
      spec({ entries: [{ name: "a", value: "1", count: 5 }] }),
      apply("alpha", {}),
      spec({ entries: [{ name: "a", value: "1", count: 5 }] }),
    );
  });

  it("contain sets that are merged separately", () => {
    steps(
      apply("alpha", { entries: [{ name: "a", tags: ["x"] }] }),
      apply("beta", { entries: [{ name: "a", tags: ["y"] }] }),
      spec({ entries: [{ name: "a", tags: ["x", "y"] }] }),
      apply("alpha", { entries: [{ name: "a" }] }),
      spec({ entries: [{ name: "a", tags: ["y"] }] }),
    );
  });

  it("identify entries by all keys, including defaults of keys", () => {
    steps(
      apply("alpha", { ports: [{ port: 80 }, { port: 80, protocol: "UDP" }] }),
      apply("beta", { ports: [{ port: 80, protocol: "TCP", note: "n" }] }),
      spec({
        ports: [
          { port: 80, protocol: "TCP", note: "n" },
          { port: 80, protocol: "UDP" },
        ],
      }),
    );
  });
});

describe("the order of entries", () => {
  it.each([
    ["new ones go last", ["a", "b"], ["c"], ["a", "b", "c"]],
    ["new ones go where the config has them between known ones", ["a", "b"], ["a", "c", "b"], ["a", "c", "b"]],
    [
      "known ones take the order of the config, where the config first meets them",
      ["a", "b", "c"],
      ["c", "a"],
      ["b", "c", "a"],
    ],
    ["a reversal", ["a", "b", "c"], ["c", "b", "a"], ["c", "b", "a"]],
    ["others keep their place among the known", ["a", "x", "b", "y"], ["b", "a"], ["x", "b", "y", "a"]],
    ["new ones before the first known one", ["x", "a"], ["n", "a"], ["x", "n", "a"]],
    ["new ones alone before others", ["x", "y"], ["n", "m"], ["x", "y", "n", "m"]],
    ["known, new, known", ["a", "x", "b"], ["a", "n", "b"], ["a", "x", "n", "b"]],
  ])("%s", (_name, live, config, expected) => {
    steps(update("beta", { set: live }), apply("alpha", { set: config }), spec({ set: expected }));
    steps(
      update("beta", { entries: live.map((name) => entry(name)) }),
      apply("alpha", { entries: config.map((name) => entry(name)) }),
      spec({ entries: expected.map((name) => entry(name)) }),
    );
  });
});

describe("duplicate entries of a stored list", () => {
  const twice = { entries: [entry("a", "1"), entry("a", "2"), entry("b")] };

  it("are owned together and kept while no request changes them", () => {
    steps(
      update("old", twice),
      owners({
        "old*": [
          ".spec",
          ".spec.entries",
          '.spec.entries[name="a"]',
          '.spec.entries[name="b"]',
          '.spec.entries[name="b"].name',
          '.spec.entries[name="b"].value',
        ],
      }),
      apply("alpha", { text: "x", entries: [entry("c")] }),
      spec({ text: "x", entries: [...twice.entries, entry("c")] }),
      unchanged(apply("alpha", { text: "x", entries: [entry("c")] })),
    );
  });

  it("conflict together and are replaced by one entry if the apply is forced", () => {
    steps(
      update("old", twice),
      apply("alpha", { entries: [entry("a", "3")] }, { conflicts: ['old*: .spec.entries[name="a"]'] }),
      force("alpha", { entries: [entry("a", "3")] }),
      spec({ entries: [entry("a", "3"), entry("b")] }),
    );
  });

  it("change their owner if an update changes one of them or removes the duplicate", () => {
    steps(
      update("old", twice),
      update("new", { entries: [entry("a", "1"), entry("a", "9"), entry("b")] }),
      owners({
        "old*": [".spec", ".spec.entries", ...["", ".name", ".value"].map((part) => `.spec.entries[name="b"]${part}`)],
        "new*": ['.spec.entries[name="a"]'],
      }),
      update("third", { entries: [entry("a", "1"), entry("b")] }),
      owners({
        "old*": [".spec", ".spec.entries", ...["", ".name", ".value"].map((part) => `.spec.entries[name="b"]${part}`)],
        "third*": ["", ".name", ".value"].map((part) => `.spec.entries[name="a"]${part}`),
      }),
    );
  });

  it("are tolerated in sets too", () => {
    steps(
      update("old", { set: ["a", "a", "b"] }),
      apply("alpha", { set: ["c"] }),
      spec({ set: ["a", "a", "b", "c"] }),
      apply("alpha", { set: ["c", "b"] }),
      spec({ set: ["a", "a", "c", "b"] }),
    );
  });
});

describe("empty and null", () => {
  it.each([
    ["an empty map", { labels: {} }, [".spec.labels"]],
    ["an empty struct", { struct: {} }, [".spec.struct"]],
    ["an empty atomic list", { list: [] }, [".spec.list"]],
    ["a null scalar", { text: null }, [".spec.text"]],
    ["a null map", { labels: null }, [".spec.labels"]],
    ["a null list", { entries: null }, [".spec.entries"]],
  ])("%s is owned as such", (_name, content, paths) => {
    steps(apply("alpha", { number: 1, ...content }), owners({ alpha: [".spec.number", ...paths] }));
  });

  it("an empty set or list map owns no items", () => {
    steps(apply("alpha", { number: 1, set: [], entries: [] }), owners({ alpha: [".spec.number"] }));
  });

  it("null applied to a map keeps the entries of other managers", () => {
    steps(
      apply("alpha", { labels: { a: "1" } }),
      apply("beta", { labels: null }),
      spec({ labels: { a: "1" } }),
      owners({ alpha: [".spec.labels.a"], beta: [".spec.labels"] }),
    );
  });

  it("an update from absent to empty is a change", () => {
    steps(
      update("alpha", { number: 1 }),
      patch("beta", { spec: { labels: {} } }),
      owners({ "alpha*": [".spec", ".spec.number"], "beta*": [".spec.labels"] }),
    );
  });
});
