import { describe, expect, it } from "vitest";
import type { FieldError } from "../../runtime/contract/field-error.ts";
import type { HookContext } from "../../runtime/contract/kind-hooks.ts";
import type { StoredKind } from "../../runtime/kinds/served-resource.ts";
import { declaredErrors } from "../../runtime/resource/declared-errors.ts";
import { invalidField } from "../../runtime/values/field-errors.ts";

const byRule = invalidField("spec.replicas", -1, "by rule");
const byHand = invalidField("spec.replicas", -1, "by hand");
const other = invalidField("spec.other", -1, "by hand");

function run(
  gates: readonly string[],
  hand: FieldError[] | undefined,
  fieldsByHand?: readonly string[],
): { errors: string[]; mismatches: string[] } {
  const mismatches: string[] = [];
  const kind = {
    gvk: { group: "", version: "v1", kind: "ReplicationController" },
    hooks: hand === undefined ? {} : { compatibility: { validateByHand: () => hand, fieldsByHand } },
    schema: { validate: () => [byRule], validateUpdate: () => [byRule] },
  } as unknown as StoredKind;
  const context = {
    featureEnabled: (gate: string) => gates.includes(gate),
    onMismatch: (problem: string) => void mismatches.push(problem),
  } as unknown as HookContext;
  const errors = declaredErrors({ stored: kind }, { metadata: { name: "one" } }, undefined, context);
  return { errors: errors.map(({ message }) => message), mismatches };
}

const ON = "DeclarativeValidation";
const TAKEOVER = "DeclarativeValidationTakeover";

describe("declarative validation next to handwritten validation", () => {
  it("is always used for kinds without handwritten validation", () => {
    expect(run([], undefined).errors).toEqual([byRule.message]);
  });

  it("runs in addition, and its errors are reported only with DeclarativeValidationTakeover", () => {
    expect(run([ON], [byHand])).toEqual({ errors: [byHand.message], mismatches: [] });
    expect(run([ON, TAKEOVER], [byHand])).toEqual({ errors: [byRule.message], mismatches: [] });
  });

  it("is disabled by its feature gate, including the takeover", () => {
    expect(run([TAKEOVER], [byHand])).toEqual({ errors: [byHand.message], mismatches: [] });
  });

  it("reports the errors of fields without handwritten validation", () => {
    expect(run([ON], [], ["spec.other"])).toEqual({ errors: [byRule.message], mismatches: [] });
    expect(run([ON], [], ["spec.replicas"]).errors).toEqual([]);
    expect(run([], [other], ["spec.other"]).errors).toEqual([other.message, byRule.message]);
  });

  it("reports every mismatch", () => {
    expect(run([ON], [other]).mismatches).toEqual([
      "ReplicationController one: only the code by hand refuses spec.other: FieldValueInvalid",
      "ReplicationController one: only the declared rules refuse spec.replicas: FieldValueInvalid",
    ]);
  });
});
