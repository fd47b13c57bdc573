import { describe, expect, it } from "vitest";
import { AcceptedNames, acceptNames } from "../../../runtime/kinds/custom/definition/accept-names.ts";
import type { CustomDefinition, DefinitionNames } from "../../../runtime/kinds/custom/definition/custom-definition.ts";

const NOW = "2030-01-01T00:00:00Z";

function definition(names: DefinitionNames): CustomDefinition {
  const version = { name: "v1", served: true, storage: true };
  return {
    metadata: { name: `${names.plural}.example.com` },
    spec: { group: "example.com", scope: "Namespaced", names, versions: [version] },
  };
}

function inUse(wanted: CustomDefinition, others: readonly CustomDefinition[] = []) {
  const names = new AcceptedNames();
  for (const one of [wanted, ...others]) names.add(one);
  return names.ofOthers(wanted);
}

function accept(wanted: CustomDefinition, others: readonly CustomDefinition[] = []): CustomDefinition {
  return { ...wanted, status: acceptNames(wanted, inUse(wanted, others), NOW) };
}

const PEARS = { plural: "pears", singular: "pear", kind: "Pear", listKind: "PearList", shortNames: ["p"] };

describe("the names of a definition", () => {
  it("are accepted if they are free, and the kind is established", () => {
    const { status } = accept(definition(PEARS));
    expect(status?.acceptedNames).toEqual(PEARS);
    expect(status?.conditions).toEqual([
      {
        type: "NamesAccepted",
        status: "True",
        reason: "NoConflicts",
        message: "no conflicts found",
        lastTransitionTime: NOW,
      },
      {
        type: "Established",
        status: "True",
        reason: "InitialNamesAccepted",
        message: "the initial names have been accepted",
        lastTransitionTime: NOW,
      },
    ]);
  });

  it("are rejected if another definition of the group has them; other names are accepted", () => {
    const pears = accept(definition(PEARS));
    const { status } = accept(definition({ ...PEARS, plural: "plums", singular: "plum", listKind: "PlumList" }), [
      pears,
    ]);
    expect(status?.acceptedNames).toEqual({ plural: "plums", singular: "plum", kind: "", listKind: "PlumList" });
    expect(status?.conditions).toMatchObject([
      { type: "NamesAccepted", status: "False", reason: "KindConflict", message: '"Pear" is already in use' },
      { type: "Established", status: "False", reason: "NotAccepted" },
    ]);
  });

  it("that are already accepted do not change the status", () => {
    const pears = accept(definition(PEARS));
    expect(acceptNames(pears, inUse(pears), "2031-01-01T00:00:00Z")).toBe(pears.status);
  });

  it("that are already accepted are not checked again if a client removes the conditions", () => {
    const pears = accept(definition(PEARS));
    const status = { ...pears.status, conditions: [] };
    expect(acceptNames({ ...pears, status }, inUse({ ...pears, status }), NOW)).toBe(status);
  });

  it("that are accepted establish a kind that is not established", () => {
    const pears = accept(definition(PEARS));
    const status = { ...pears.status, conditions: pears.status?.conditions?.slice(0, 1) ?? [] };
    expect(acceptNames({ ...pears, status }, inUse({ ...pears, status }), NOW)).toEqual(pears.status);
  });

  it("that change to names in use keep the kind established with its old names", () => {
    const pears = accept(definition(PEARS));
    const plums = accept(definition({ plural: "plums", singular: "plum", kind: "Plum", listKind: "PlumList" }));
    const renamed = { ...pears, spec: { ...pears.spec, names: { ...PEARS, singular: "plum" } } };
    const { status } = accept(renamed, [plums]);
    expect(status?.acceptedNames?.singular).toBe("pear");
    expect(status?.conditions).toMatchObject([
      { type: "NamesAccepted", status: "False", reason: "SingularConflict" },
      { type: "Established", status: "True" },
    ]);
  });
});
