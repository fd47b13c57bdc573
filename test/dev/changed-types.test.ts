import { describe, expect, it } from "vitest";
import { changeOf } from "../../cli/dev/changed-types.ts";

const TRUCK = "api-definitions/fleet/v1/truck.ts";
const BEFORE = `import { type Int32, kind } from "typeplane/vocabulary";
import type { Namespaced } from "typeplane/meta/v1";
/** A truck. */
export interface Truck extends Namespaced { seats?: Int32 }
export const MOST_SEATS = 3;
export const truck = kind<Truck>({ plural: "trucks" });
`;

const foldersAfter = (after: string | undefined, before: string | undefined = BEFORE): string[] => [
  ...changeOf(new Map(), new Map([[TRUCK, { before, after }]])).folders,
];

describe("code of kinds that a change concerns", () => {
  it.each([
    ["a field", BEFORE.replace("seats?", "doors?: Int32; seats?")],
    [
      "a type and its import",
      BEFORE.replace("Int32, kind", "Int64, type Int32, kind").replace("seats?", "km?: Int64; seats?"),
    ],
    ["a comment", BEFORE.replace("A truck", "A vehicle for loads")],
    ["lines between statements", BEFORE.replaceAll("\n", "\n\n")],
  ])("is none for a change of %s", (_, after) => {
    expect(foldersAfter(after)).toEqual([]);
  });

  it.each<[string, string | undefined]>([
    ["a constant", BEFORE.replace("= 3", "= 4")],
    ["a kind", BEFORE.replace('"trucks" }', '"trucks", shortNames: ["t"] }')],
    ["an imported value", BEFORE.replace("Int32, kind", "Int32, group, kind")],
    ["a module that is imported for its effects", `${BEFORE}import "./other.ts";`],
    ["a removed file", undefined],
  ])("is that of the whole folder for a change of %s", (_, after) => {
    expect(foldersAfter(after)).toEqual(["fleet"]);
  });

  it("is that of the whole folder for an added file", () => {
    expect([...changeOf(new Map(), new Map([[TRUCK, { before: undefined, after: BEFORE }]])).folders]).toEqual([
      "fleet",
    ]);
  });
});
