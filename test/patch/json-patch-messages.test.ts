import { expect, it } from "vitest";
import { applyJsonPatch } from "../../runtime/patch/json-patch.ts";

const messageOf = (operation: object): string => {
  try {
    applyJsonPatch({ list: ["a"], object: { a: "b" }, text: "t" }, [operation] as never);
    return "applied";
  } catch (error) {
    return (error as Error).message;
  }
};

it.each([
  ["add", "/no/x", 'add operation does not apply: doc is missing path: "/no/x": missing value'],
  ["remove", "/no/x", 'remove operation does not apply: doc is missing path: "/no/x": missing value'],
  ["replace", "/no/x", "replace operation does not apply: doc is missing path: /no/x: missing value"],
  ["test", "/no/x", "test operation does not apply: is missing path: /no/x: missing value"],
  ["test", "/text/x", "test operation does not apply: is missing path: /text/x: missing value"],
  ["add", "/list/5", "error in add for path: '/list/5': Unable to access invalid index: 5: invalid index referenced"],
  [
    "add",
    "/list/x",
    "error in add for path: '/list/x': value was not a proper array index: 'x': strconv.Atoi: parsing \"x\": invalid syntax",
  ],
  ["remove", "/list/x", "error in remove for path: '/list/x': strconv.Atoi: parsing \"x\": invalid syntax"],
  ["remove", "/object/x", "error in remove for path: '/object/x': Unable to remove nonexistent key: x: missing value"],
  ["replace", "/list/5", "replace operation does not apply: doc is missing key: /list/5: missing value"],
  ["replace", "/list/x", "replace operation does not apply: doc is missing key: /list/x: missing value"],
  ["replace", "/object/x", "applied"],
  ["test", "/list/5", "error in test for path: '/list/5': Unable to access invalid index: 5: invalid index referenced"],
])("says why it does not %s %s", (op, path, message) => {
  expect(messageOf({ op, path, value: "v" })).toBe(message);
});

it.each([
  ["move", "/no/x", "/a", "move operation does not apply: doc is missing from path: /no/x: missing value"],
  ["move", "/text", "/no/x", "move operation does not apply: doc is missing destination path: /no/x: missing value"],
  ["move", "/object/x", "/a", "error in move for path: 'x': Unable to remove nonexistent key: x: missing value"],
  ["move", "/list/5", "/a", "error in move for path: '5': Unable to access invalid index: 5: invalid index referenced"],
  ["copy", "/no/x", "/a", "copy operation does not apply: doc is missing from path: /no/x: missing value"],
  ["copy", "/text", "/no/x", "copy operation does not apply: doc is missing destination path: /no/x: missing value"],
  [
    "copy",
    "/list/5",
    "/a",
    "error in copy for from: '/list/5': Unable to access invalid index: 5: invalid index referenced",
  ],
  [
    "copy",
    "/text",
    "/list/5",
    "error while adding value during copy: Unable to access invalid index: 5: invalid index referenced",
  ],
])("says why it does not %s %s to %s", (op, from, path, message) => {
  expect(messageOf({ op, from, path })).toBe(message);
});

it.each([
  [{ op: "add", value: "v" }, "add operation failed to decode path: missing value"],
  [{ op: "remove" }, "remove operation failed to decode path: missing value"],
  [{ op: "copy", from: "/text" }, "copy operation failed to decode path: missing value"],
  [{ op: "replace" }, "replace operation failed to decode path: operation missing path field: missing value"],
  [{ op: "test" }, "test operation failed to decode path: operation missing path field: missing value"],
  [{ op: "move", from: "/text" }, "move operation failed to decode path: operation missing path field: missing value"],
  [{ op: "move", path: "/a" }, "move operation failed to decode from: operation, missing from field: missing value"],
  [{ op: "copy", path: "/a" }, "copy operation failed to decode from: operation, missing from field: missing value"],
])("says what %j lacks", (operation, message) => {
  expect(messageOf(operation)).toBe(message);
});
